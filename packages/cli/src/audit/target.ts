import { lookup } from 'node:dns/promises'
import { BlockList, type LookupFunction } from 'node:net'
import { UnreachableError, UsageError } from '../exit.js'

/** The endpoint that is audited, and nothing beside it. */
export interface Target {
  readonly url: URL
  /** For reports: the address without its query, which may hold a token. */
  readonly shown: string
  readonly isLoopback: boolean
  /** Gives the addresses that were looked at, so that a name cannot stand for another host by the next case. */
  readonly lookup: LookupFunction
}

/**
 * Finds the endpoint that an address names, and whose it is.
 *
 * @throws {UsageError} when it is no address to audit, or not known to be the caller's own
 * @throws {UnreachableError} when its host is not found
 */
export async function findTarget(address: string, { isOwn }: { readonly isOwn: boolean }): Promise<Target> {
  const url = parse(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await lookup(host, { all: true }).catch(() => {
    throw new UnreachableError(`No address is known of the host ${host}.`)
  })
  const isLoopback = addresses.every(({ address, family }) =>
    LOOPBACK.check(address, `ipv${family as 4 | 6}`),
  )
  if (!isLoopback && !isOwn) {
    throw new UsageError(
      `${host} is not this machine. An audit sends forgeries, and genuine deliveries that the endpoint handles: ` +
        'say --i-own-this-endpoint if you may do that to it.',
    )
  }
  return {
    url,
    shown: url.origin + url.pathname,
    isLoopback,
    lookup: (_host, _options, callback) => {
      callback(null, addresses)
    },
  }
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

function parse(address: string): URL {
  // The address is not shown: it may hold what must not be.
  if (!URL.canParse(address))
    throw new UsageError('The address is no URL: write http://localhost:3000/webhooks.')
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError('The address must begin with http:// or https://.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      'The address holds a user or a password: take them out, the audit would send them along.',
    )
  }
  return url
}
