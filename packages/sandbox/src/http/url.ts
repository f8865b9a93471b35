import type { AddressInfo } from 'node:net'

/** Who listens on every address is reached at the one of this machine. */
export function urlOf({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  const reachable = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
