import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** Asks for the addresses of a name, as `dns.lookup` does with `all`. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Where events may be sent. */
export interface Targets {
  /** What is wrong with a `webhook_url`, if something is. */
  readonly problemOf: (url: string) => Promise<string | undefined>
  /** Looks again when a connection is made: a name may lead elsewhere by then. */
  readonly lookup: LookupFunction
}

const OUTSIDE = 'must lead to this machine, unless the sandbox is started with allowRemote'

export function createTargets(allowRemote: boolean, ask: Lookup = systemLookup): Targets {
  const lookup: LookupFunction = (hostname, options, callback) => {
    ask(hostname, { all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, [])
      } else if (!allowRemote && !addresses.every(({ address }) => isLoopback(address))) {
        callback(new Error(`The address ${OUTSIDE}`), [])
      } else if (options.all === true) {
        callback(null, addresses)
      } else {
        callback(null, addresses[0]!.address, addresses[0]!.family)
      }
    })
  }

  return {
    lookup,
    async problemOf(text) {
      const url = parse(text)
      if (url === undefined || !/^https?:$/.test(url.protocol))
        return 'must be an address with http: or https:'
      if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password'
      if (allowRemote) return undefined
      const host = url.hostname.replace(/^\[|\]$/g, '')
      // No name ends with a number (WHATWG URL), and none has a colon: it is an address, and nobody is asked.
      if (/:|\.\d+$/.test(host)) return isLoopback(host) ? undefined : OUTSIDE
      return new Promise((resolve) => {
        lookup(host, { all: true }, (error) => {
          if (error === null) resolve(undefined)
          else resolve(error.code === undefined ? OUTSIDE : 'has a host name that leads nowhere')
        })
      })
    },
  }
}

/** `URL` and `dns.lookup` have brought every spelling of an address to these. */
export function isLoopback(address: string): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|::1)$/.test(address)
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}
