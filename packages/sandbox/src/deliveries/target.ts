import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { invalid } from '../model/refusal.js'

/** Asks for the addresses of a name, as `dns.lookup` does with `all`. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const OUTSIDE = 'must lead to this machine, unless the sandbox is started with allowRemote'

/** Decides where events may be sent. */
export class Targets {
  readonly #allowRemote: boolean
  readonly #ask: Lookup

  constructor(allowRemote: boolean, ask: Lookup = systemLookup) {
    this.#allowRemote = allowRemote
    this.#ask = ask
  }

  /** @throws {Refusal} on an address that nothing is sent to */
  async check(url: string | undefined, field = 'webhook_url'): Promise<void> {
    const problem = url === undefined ? undefined : await this.problemOf(url)
    if (problem !== undefined) throw invalid(field, problem)
  }

  /** Returns what is wrong with an address, if something is. */
  async problemOf(text: string): Promise<string | undefined> {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be an address with http: or https:'
    if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password'
    if (this.#allowRemote) return undefined
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // A name never ends with a number (WHATWG URL) and has no colon: this is an address, which needs no lookup.
    if (/:|\.\d+$/.test(host)) return isLoopback(host) ? undefined : OUTSIDE
    return new Promise((resolve) => {
      this.lookup(host, { all: true }, (error) => {
        if (error === null) resolve(undefined)
        else resolve(error.code === undefined ? OUTSIDE : 'has a host name that leads nowhere')
      })
    })
  }

  /** Checks the addresses again for each connection: a name may lead elsewhere by then. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.#ask(hostname, { all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, [])
      } else if (!this.#allowRemote && !addresses.every(({ address }) => isLoopback(address))) {
        callback(new Error(`The address ${OUTSIDE}`), [])
      } else if (options.all === true) {
        callback(null, addresses)
      } else {
        callback(null, addresses[0]!.address, addresses[0]!.family)
      }
    })
  }
}

/** `URL` and `dns.lookup` have normalized every spelling of an address to these. */
export function isLoopback(address: string): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|::1)$/.test(address)
}
