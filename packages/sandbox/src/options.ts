import type { CanonicalForm } from '@service-signature/core'
import { ownOptions } from '@service-signature/core/node'
import type { BodyStyle } from '@service-signature/core/testing'
import { systemClock, type Clock } from './clock.js'
import type { AttemptReport } from './recording/attempt-report.js'

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
  /** The same seed gives the same ids, keys, secret and faults. Default: another one each time. */
  readonly seed?: string | number
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
   * Where the state is kept, so that it survives a restart. The folder contains keys, so only the user who runs the sandbox
   * can read it. Default: nowhere, the state ends with the process.
   */
  readonly dataFolder?: string
  /** How many deliveries are kept, and how many intents, customers and cards each: the newest ones. Default: 20,000. */
  readonly keep?: number
  /** Gets a line for each request and each attempt of a delivery. No line holds a key, a card or a body. */
  readonly logger?: (line: string) => void
  /** Gets each attempt of a delivery, once it was answered or failed. */
  readonly onAttempt?: (report: AttemptReport) => void
  /** For tests: see `manualClock`. Default: the time of this machine. */
  readonly clock?: Clock
}

/** The options, checked and complete. */
export interface Settings {
  readonly port: number
  readonly host: string
  readonly allowHosts: readonly string[]
  readonly publicUrl: string | undefined
  /** Undefined if any will do. */
  readonly seed: string | undefined
  readonly timeScale: number
  readonly bodyStyle: BodyStyle
  readonly canonicalForm: CanonicalForm
  readonly cardTokenEvents: boolean
  readonly allowRemote: boolean
  readonly defaultEndpoint: string | undefined
  readonly dataFolder: string | undefined
  readonly keep: number
  readonly logger: (line: string) => void
  readonly onAttempt: (report: AttemptReport) => void
  readonly clock: Clock
}

const OPTIONS = [
  'port',
  'host',
  'allowHosts',
  'publicUrl',
  'seed',
  'timeScale',
  'bodyStyle',
  'canonicalForm',
  'cardTokenEvents',
  'allowRemote',
  'defaultEndpoint',
  'dataFolder',
  'keep',
  'logger',
  'onAttempt',
  'clock',
] as const satisfies readonly (keyof SandboxOptions)[]

/** More would not fit into the memory of a process. */
const MAX_KEPT = 1_000_000

const BODY_STYLES = ['python', 'ecmascript'] as const satisfies readonly BodyStyle[]

const CANONICAL_FORMS = ['source', 'ecmascript', 'python'] as const satisfies readonly CanonicalForm[]

/**
 * @throws {TypeError} on an option that is misspelled or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function checkOptions(options: SandboxOptions): Settings {
  const own = ownOptions(options, OPTIONS, 'startSandbox')
  return {
    port: checkPort(own.port),
    host: checkHost(own.host),
    allowHosts: checkAllowHosts(own.allowHosts),
    publicUrl: checkPublicUrl(own.publicUrl),
    seed: checkSeed(own.seed),
    timeScale: checkTimeScale(own.timeScale),
    bodyStyle: checkOneOf('bodyStyle', BODY_STYLES, own.bodyStyle),
    canonicalForm: checkOneOf('canonicalForm', CANONICAL_FORMS, own.canonicalForm),
    cardTokenEvents: checkFlag('cardTokenEvents', own.cardTokenEvents, true),
    allowRemote: checkFlag('allowRemote', own.allowRemote),
    defaultEndpoint: checkDefaultEndpoint(own.defaultEndpoint),
    dataFolder: checkDataFolder(own.dataFolder),
    keep: checkKeep(own.keep),
    logger: checkLogger(own.logger),
    onAttempt: checkOnAttempt(own.onAttempt),
    clock: checkClock(own.clock),
  }
}

function checkPort(port: unknown = 0): number {
  if (typeof port !== 'number') throw new TypeError(`"port" must be a number, and is of type ${typeof port}`)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(
      `"port" must be a whole number from 0, for any that is free, to 65535, and is ${port}`,
    )
  }
  return port
}

function checkHost(host: unknown = '127.0.0.1'): string {
  if (typeof host !== 'string' || host === '') {
    throw new TypeError('"host" must be the name or the address to listen on, such as 127.0.0.1')
  }
  return host
}

function checkAllowHosts(names: unknown = []): readonly string[] {
  if (!Array.isArray(names)) throw new TypeError('"allowHosts" must be a list of names, such as ["sandbox"]')
  return names.map((name: unknown) => {
    if (typeof name === 'string' && /^[\w.-]+(?::\d+)?$/.test(name)) return name.toLowerCase()
    throw new TypeError(
      `"allowHosts" must contain names such as sandbox or sandbox:4000, got ${JSON.stringify(name)}`,
    )
  })
}

function checkPublicUrl(text: unknown): string | undefined {
  if (text === undefined) return undefined
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  throw new TypeError('"publicUrl" must be an address without a path, such as http://localhost:4000')
}

function checkSeed(seed: unknown): string | undefined {
  if (seed === undefined) return undefined
  if (typeof seed === 'string' && seed !== '') return seed
  if (typeof seed === 'number' && Number.isSafeInteger(seed)) return String(seed)
  throw new TypeError('"seed" must be a text that is not empty, or a whole number')
}

function checkTimeScale(scale: unknown = 1): number {
  if (typeof scale !== 'number') {
    throw new TypeError(`"timeScale" must be a number, and is of type ${typeof scale}`)
  }
  if (!Number.isFinite(scale) || scale <= 0) {
    throw new RangeError(
      `"timeScale" must be above 0, and is ${scale}: 1000 makes retries come 1,000 times as fast`,
    )
  }
  return scale
}

/** The first value is the default. */
function checkOneOf<const Value>(name: string, values: readonly [Value, ...Value[]], given: unknown): Value {
  if (given === undefined) return values[0]
  const known = values.find((value) => value === given)
  if (known === undefined) throw new TypeError(`"${name}" must be one of ${values.join(', ')}`)
  return known
}

function checkFlag(name: string, value: unknown, otherwise = false): boolean {
  if (value === undefined) return otherwise
  if (typeof value !== 'boolean') {
    throw new TypeError(`"${name}" must be true or false, and is of type ${typeof value}`)
  }
  return value
}

function checkDefaultEndpoint(url: unknown): string | undefined {
  if (url === undefined || typeof url === 'string') return url
  throw new TypeError(`"defaultEndpoint" must be an address, and is of type ${typeof url}`)
}

function checkDataFolder(folder: unknown): string | undefined {
  if (folder === undefined || (typeof folder === 'string' && folder !== '')) return folder
  throw new TypeError('"dataFolder" must be the path of a folder')
}

function checkKeep(keep: unknown = 20_000): number {
  if (typeof keep !== 'number') throw new TypeError(`"keep" must be a number, and is of type ${typeof keep}`)
  if (!Number.isInteger(keep) || keep < 1 || keep > MAX_KEPT) {
    throw new RangeError(`"keep" must be a whole number from 1 to ${MAX_KEPT}, and is ${keep}`)
  }
  return keep
}

function checkLogger(logger: SandboxOptions['logger'] = () => undefined): Settings['logger'] {
  if (typeof logger !== 'function') throw new TypeError('"logger" must be a function that takes a line')
  return logger
}

function checkOnAttempt(onAttempt: SandboxOptions['onAttempt'] = () => undefined): Settings['onAttempt'] {
  if (typeof onAttempt !== 'function') throw new TypeError('"onAttempt" must be a function')
  return onAttempt
}

function checkClock(clock: SandboxOptions['clock'] = systemClock): Clock {
  const { now, after } = clock as Partial<Clock>
  if (typeof now !== 'function' || typeof after !== 'function') {
    throw new TypeError('"clock" must have the functions "now" and "after", as manualClock() has')
  }
  return clock
}
