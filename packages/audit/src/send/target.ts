import { isLoopback as isLoopbackAddress } from '@service-signature/deliveries/node'
import { lookup as lookUp } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

/** The endpoint that is audited. Nothing else is connected to. */
export interface Target {
  readonly url: URL
  /** For reports: the address without its query, which may hold a token. */
  readonly shown: string
  readonly isLoopback: boolean
  readonly lookup: LookupFunction
}

/** The endpoint may not be audited. No message contains the address itself, which may hold a password or a token. */
export class AuditTargetError extends Error {
  /** `ERR_AUDIT_URL`: not an address to audit. `ERR_AUDIT_REMOTE`: not on this machine, and `allowRemote` is not set. */
  readonly code: 'ERR_AUDIT_URL' | 'ERR_AUDIT_REMOTE'

  constructor(code: AuditTargetError['code'], message: string) {
    super(message)
    this.name = 'AuditTargetError'
    this.code = code
  }
}

export interface TargetOptions {
  /** Also audits an endpoint that is not on this machine. Default: false. */
  readonly allowRemote?: boolean
  /** Resolves the name of the host, for each connection. Default: it is resolved once, before the audit. */
  readonly lookup?: LookupFunction
}

/**
 * Finds the endpoint that an address names, and whether it is on this machine.
 *
 * @throws {AuditTargetError} if it must not be audited
 */
export async function findTarget(address: string, options: TargetOptions): Promise<Target> {
  const { allowRemote = false, lookup } = options
  const url = parse(address)
  const shown = url.origin + url.pathname
  // The caller decides, at each connection, where its names lead.
  if (allowRemote && lookup !== undefined) return { url, shown, isLoopback: false, lookup }

  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await lookUp(host, { all: true }).catch((error: unknown) => error as Error)
  if (addresses instanceof Error) return { url, shown, isLoopback: false, lookup: failing(addresses) }
  const isLoopback = addresses.every(({ address }) => isLoopbackAddress(address))
  if (!isLoopback && !allowRemote) {
    throw new AuditTargetError(
      'ERR_AUDIT_REMOTE',
      `${host} is not on this machine. An audit sends forgeries, and valid deliveries that the endpoint handles; ` +
        'set "allowRemote" if you may do that to this endpoint.',
    )
  }
  return {
    url,
    shown,
    isLoopback,
    // The addresses that were checked: a name cannot lead to another host by the next delivery.
    lookup: (_host, _options, callback) => {
      callback(null, addresses)
    },
  }
}

/** Connections fail as the lookup did. */
function failing(error: Error): LookupFunction {
  return (_host, _options, callback) => {
    callback(error, [])
  }
}

function parse(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined) {
    throw new AuditTargetError(
      'ERR_AUDIT_URL',
      'The address is not a URL, such as http://localhost:3000/webhooks.',
    )
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AuditTargetError('ERR_AUDIT_URL', 'The address must begin with http:// or https://.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new AuditTargetError(
      'ERR_AUDIT_URL',
      'The address contains a user name or a password, which the audit would send. Remove them.',
    )
  }
  return url
}
