import type { CanonicalForm } from '@service-signature/core'
import { ownOptions } from '@service-signature/core/shared/check-options'
import type { BodyStyle } from '@service-signature/core/testing'
import { systemClock, type Clock } from './store/clock.js'
import type { AttemptReport } from '@service-signature/deliveries'
import type { AttemptFinding } from './deliveries/attempt.js'

export interface SandboxOptions {
  /** Default: one that is free. */
  readonly port?: number
  /** The address to listen on. Default: `127.0.0.1`, which other machines cannot reach. */
  readonly host?: string
  /**
   * Further names that the sandbox answers to, such as `sandbox` or `sandbox:4000` in a network of containers. Without
   * them it answers to `localhost` and to addresses, because any other name may have been rebound to this machine.
   */
  readonly allowHosts?: readonly string[]
  /**
   * Where a browser reaches the sandbox, such as `http://localhost:4000`, if that is not the address that it is called by: an
   * `embed_url` starts with it. Default: the address of the call.
   */
  readonly publicUrl?: string
  /**
   * What page and control API (`/_sandbox`) ask for: `Authorization: Bearer <token>`, or `?token=` once in a browser. Default: none if
   * only this machine can reach the sandbox, and otherwise one that is made, which `sandbox.token` has.
   */
  readonly token?: string
  /** The same seed gives the same ids, keys, secret and faults. Default: another one each time. */
  readonly seed?: string | number
  /** The same text gives the same organization, account, keys and secret, whatever the seed is. Default: the seed. */
  readonly keySeed?: string
  /**
   * Sends a copy with a wrong signature after a delivery that was refused, and after the first that an endpoint accepts: whether it
   * accepts the copy shows the cause. `own`: only for what is composed, or paid with an intent that was made on the page. `all`: also
   * for intents that were made over the API. Default: `none`. The commands have `own`.
   */
  readonly checks?: 'none' | 'own' | 'all'
  /** How many times as fast the schedule of retries runs. Default: 1. */
  readonly timeScale?: number
  /**
   * How the bodies of events are printed: as Python does (the default), which is assumed of the payment service, or as
   * `JSON.stringify` does.
   */
  readonly bodyStyle?: BodyStyle
  /** How the text that v2 signs is printed. Default: `source`. */
  readonly canonicalForm?: CanonicalForm
  /**
   * Sends an event to the `webhook_url` of a card token intent once its card is saved. The service documents that it sends
   * some, but neither their type nor their fields: these are assumed. Default: true.
   */
  readonly cardTokenEvents?: boolean
  /** Also sends events to addresses outside this machine. Default: false. */
  readonly allowRemote?: boolean
  /** Where the events of intents without a `webhook_url` are sent. Default: nowhere. */
  readonly defaultEndpoint?: string
  /**
   * Where the state is stored, so that it survives a restart. The folder contains keys, so only the user who runs the sandbox
   * can read it. Default: nowhere, the state ends with the process.
   */
  readonly dataFolder?: string
  /** How many deliveries are stored, and how many intents, customers and cards each: the newest ones. Default: 10,000. */
  readonly keep?: number
  /** Gets a line for each request and each attempt of a delivery. No line holds a key, a card or a body. */
  readonly logger?: (line: string) => void
  /** Gets each attempt of a delivery, once it was answered or failed. */
  readonly onAttempt?: (report: AttemptReport, finding: AttemptFinding) => void
  /** For tests: see `manualClock`. Default: the time of this machine. */
  readonly clock?: Clock
}

/** Options that stay undefined if they are missing. */
type WithoutDefault = 'publicUrl' | 'token' | 'seed' | 'keySeed' | 'defaultEndpoint' | 'dataFolder'

/** The options, checked and complete. */
export type Settings = Required<Omit<SandboxOptions, WithoutDefault | 'onAttempt'>> &
  Readonly<Record<WithoutDefault, string | undefined>> & {
    readonly onAttempt: SandboxOptions['onAttempt'] | undefined
  }

type Check<Value> = (value: unknown, name: string) => Value

/** The default of each option, and its check. */
const OPTIONS: { readonly [Name in keyof Settings]: readonly [Settings[Name], Check<Settings[Name]>] } = {
  port: [0, number('a whole number from 0 (any that is free) to 65535', (port) => isWhole(port, 0, 65_535))],
  host: ['127.0.0.1', text('the name or the address to listen on, such as 127.0.0.1')],
  allowHosts: [[], checkAllowHosts],
  publicUrl: [undefined, checkPublicUrl],
  token: [undefined, checkToken],
  seed: [undefined, checkSeed],
  keySeed: [undefined, text('a text that is not empty')],
  checks: ['none', oneOf<Settings['checks']>(['none', 'own', 'all'])],
  timeScale: [
    1,
    number(
      'a number above 0 (1000 makes retries come 1,000 times as fast)',
      (scale) => Number.isFinite(scale) && scale > 0,
    ),
  ],
  bodyStyle: ['python', oneOf<BodyStyle>(['python', 'ecmascript'])],
  canonicalForm: ['source', oneOf<CanonicalForm>(['source', 'ecmascript', 'python'])],
  cardTokenEvents: [true, flag],
  allowRemote: [false, flag],
  // Whether it is an address that deliveries may go to is checked at the start.
  defaultEndpoint: [undefined, text('an address with http: or https:')],
  dataFolder: [undefined, text('the path of a folder')],
  // More would be too much for the memory of a process.
  keep: [10_000, number('a whole number from 1 to 1000000', (keep) => isWhole(keep, 1, 1_000_000))],
  logger: [() => undefined, functionThat('takes a line')],
  onAttempt: [undefined, functionThat('takes an attempt')],
  clock: [systemClock, checkClock],
}

/**
 * @throws {TypeError} on an option that is misspelled or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function checkOptions(options: SandboxOptions): Settings {
  const names = Object.keys(OPTIONS) as (keyof Settings)[]
  const own = ownOptions(options, names, 'startSandbox')
  return Object.fromEntries(
    names.map((name) => {
      const [usual, check] = OPTIONS[name]
      return [name, own[name] === undefined ? usual : check(own[name], name)]
    }),
  ) as unknown as Settings
}

function number(rule: string, isAllowed: (value: number) => boolean): Check<number> {
  return (value, name) => {
    if (typeof value !== 'number') throw new TypeError(`"${name}" must be ${rule}, got ${typeof value}`)
    if (!isAllowed(value)) throw new RangeError(`"${name}" must be ${rule}, got ${value}`)
    return value
  }
}

function isWhole(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max
}

function text(rule: string): Check<string> {
  return (value, name) => {
    if (typeof value === 'string' && value !== '') return value
    throw new TypeError(`"${name}" must be ${rule}, got ${value === '' ? '""' : typeof value}`)
  }
}

function oneOf<Value extends string>(values: readonly Value[]): Check<Value> {
  return (value, name) => {
    const known = values.find((each) => each === value)
    if (known === undefined) throw new TypeError(`"${name}" must be one of ${values.join(', ')}`)
    return known
  }
}

function flag(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') {
    throw new TypeError(`"${name}" must be true or false, got ${typeof value}`)
  }
  return value
}

function functionThat<Of>(does: string): Check<Of> {
  return (value, name) => {
    if (typeof value !== 'function') throw new TypeError(`"${name}" must be a function that ${does}`)
    return value as Of
  }
}

function checkAllowHosts(names: unknown): readonly string[] {
  if (!Array.isArray(names)) throw new TypeError('"allowHosts" must be a list of names, such as ["sandbox"]')
  return names.map((name: unknown) => {
    if (typeof name === 'string' && /^[\w.-]+(?::\d+)?$/.test(name)) return name.toLowerCase()
    throw new TypeError(
      `"allowHosts" must contain names such as sandbox or sandbox:4000, got ${JSON.stringify(name)}`,
    )
  })
}

function checkPublicUrl(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  throw new TypeError('"publicUrl" must be an address without a path, such as http://localhost:4000')
}

/** It is also part of addresses and cookies, in which these characters are never encoded. */
function checkToken(token: unknown): string {
  if (typeof token === 'string' && /^[\w.-]{16,100}$/.test(token)) return token
  throw new TypeError('"token" must be 16 to 100 letters, digits, "-", "." or "_"')
}

function checkSeed(seed: unknown): string {
  if (typeof seed === 'string' && seed !== '') return seed
  if (typeof seed === 'number' && Number.isSafeInteger(seed)) return String(seed)
  throw new TypeError('"seed" must be a text that is not empty, or a whole number')
}

function checkClock(clock: unknown): Clock {
  const { now, after } = clock as Partial<Clock>
  if (typeof now !== 'function' || typeof after !== 'function') {
    throw new TypeError('"clock" must have the functions "now" and "after", as manualClock() has')
  }
  return clock as Clock
}
