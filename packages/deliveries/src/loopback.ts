import type { lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** It also matches IPv4 addresses that are mapped into IPv6. */
const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** The unspecified addresses, as `URL` prints them, also lead to this machine. */
export const UNSPECIFIED: readonly string[] = ['0.0.0.0', '::', '::ffff:0:0']

/** Whether an address, or a name that never leads elsewhere (RFC 6761, 6.3), is that of this machine alone. */
export function isLoopback(host: string): boolean {
  const family = isIP(host)
  return family === 0 ? /^(?:.+\.)?localhost\.?$/i.test(host) : LOOPBACK.check(host, `ipv${family as 4 | 6}`)
}

export function leadsHere(host: string): boolean {
  return isLoopback(host) || UNSPECIFIED.includes(host)
}

/** A look-up of names that lead to this machine. It asks no name server. */
export const lookupHere: LookupFunction = (_name, { all }, callback) => {
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ] as const
  if (all === true) callback(null, [...addresses])
  else callback(null, addresses[0].address, addresses[0].family)
}

/** A look-up by which only `localhost` leads to this machine: every other name may have any address. */
export function lookupOutside(lookup: typeof systemLookup): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      const isAllowed = leadsHere(name)
      const addresses = error === null ? found.filter((each) => isAllowed || !leadsHere(each.address)) : []
      const [first] = addresses
      if (first === undefined)
        callback(error ?? new Error(`${name} leads to this machine: write localhost`), '')
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
