import {
  isLoopback,
  leadsHere,
  lookupHere,
  lookupOutside,
  UNSPECIFIED,
} from '@service-signature/deliveries/node'
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { invalid } from './refusal.js'

const OUTSIDE =
  'must lead to this machine (localhost, 127.0.0.1 or [::1]), unless the sandbox is started with allowRemote'

const FOREIGN =
  'must not lead to the machine of the sandbox, because the call does not come from its loopback address. ' +
  'Name an address of yours, or send the token of the sandbox as well: Authorization: Bearer <SANDBOX_TOKEN>'

/** The options that decide who reaches the sandbox, and what it reaches. */
export interface Reach {
  readonly host: string
  readonly allowHosts: readonly string[]
  readonly allowRemote: boolean
  readonly publicUrl: string | undefined
  readonly token: string | undefined
}

/** Decides where events may be sent. Without `allowRemote` no name server is asked. */
export class Targets {
  readonly #settings: Omit<Reach, 'publicUrl'>
  /** Where the sandbox itself listens, as soon as it does. */
  ownPort: number | undefined
  /** Resolves the names that pass `problemOf`. */
  readonly lookup: LookupFunction

  constructor(settings: Omit<Reach, 'publicUrl'>) {
    this.#settings = settings
    const { allowRemote, token } = settings
    this.lookup = !allowRemote ? lookupHere : token === undefined ? lookup : lookupOutside(lookup)
  }

  /**
   * Checks an address that a caller names. Loopback services are out of reach of another machine, and must stay so.
   *
   * @throws {Refusal} on an address that nothing is sent to, or that only a trusted caller may name
   */
  check(url: string | undefined, caller: { readonly isTrusted: boolean }, field = 'webhook_url'): void {
    if (url === undefined) return
    const problem =
      this.problemOf(url) ?? (caller.isTrusted || !leadsHere(hostOf(new URL(url))) ? undefined : FOREIGN)
    if (problem !== undefined) throw invalid(field, problem)
  }

  /** Returns what is wrong with an address, if something is. Stored addresses must be checked again before each attempt. */
  problemOf(text: string): string | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be an address with http: or https:'
    if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password'
    const host = hostOf(url)
    const isHere = isLoopback(host)
    if (!isHere && !this.#settings.allowRemote) return OUTSIDE
    return this.#isOwn(url, host, isHere) ? 'must not be the address of the sandbox itself' : undefined
  }

  /** Under any other name the sandbox would refuse the request because of its `Host`. */
  #isOwn({ port, protocol, host: name }: URL, host: string, isHere: boolean): boolean {
    if (Number(port || (protocol === 'https:' ? 443 : 80)) !== this.ownPort) return false
    const { host: own, allowHosts } = this.#settings
    return isHere || [own, ...ownAddresses(), ...allowHosts].some((each) => each === host || each === name)
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function ownAddresses(): readonly string[] {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses!)
  return [...UNSPECIFIED, ...interfaces.map(({ address }) => address)]
}
