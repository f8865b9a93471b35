import type { BodyStyle } from '@service-signature/core/testing'
import { parseSetting, printedWith, TAMPERINGS, type Tampering } from '@service-signature/deliveries/node'
import {
  asUsage,
  count,
  offsetSeconds,
  oneOf,
  placeOf,
  positiveSeconds,
  readInput,
  UsageError,
  type Io,
} from '@service-signature/terminal'
import { readSigning, type Signing, type SigningOptions } from './signing.js'
import { eventType, makeEvent } from './payload.js'

export interface SendOptions extends SigningOptions {
  readonly event?: string
  readonly body?: string
  readonly set?: readonly string[]
  readonly bodyStyle?: string
  readonly skew?: string
  readonly tamper?: string
  readonly duplicate?: true
  readonly repeat?: string
  readonly timeout?: string
  readonly json?: true
}

/** What is to be sent, and how. */
export interface SendPlan {
  readonly url: URL
  readonly signing: Signing
  /** What each delivery is about: an event of its own, or the same file again. */
  readonly nextBody: () => { readonly body: Buffer; readonly name: string }
  readonly skewSeconds: number
  readonly tampering: Tampering | undefined
  readonly deliveries: number
  /** How often each delivery is sent, byte for byte. */
  readonly copies: number
  readonly timeoutSeconds: number
}

// A timer that is set further ahead goes off at once.
const LONGEST_TIMEOUT_SECONDS = 3600

const BODY_STYLES = ['python', 'ecmascript'] as const satisfies readonly BodyStyle[]

/** @throws {UsageError} on a wrong value, a missing key, and a file that cannot be read */
export async function readPlan(url: string, options: SendOptions, io: Io): Promise<SendPlan> {
  const { skew = '0', repeat = '1', timeout = '30', tamper, duplicate = false } = options
  return {
    url: endpoint(url),
    skewSeconds: offsetSeconds('--skew', skew),
    tampering: tamper === undefined ? undefined : oneOf('--tamper', TAMPERINGS, tamper),
    deliveries: count('--repeat', repeat),
    copies: duplicate ? 2 : 1,
    timeoutSeconds: positiveSeconds('--timeout', timeout, LONGEST_TIMEOUT_SECONDS),
    nextBody: await bodies(options, io),
    signing: await readSigning(options, io),
  }
}

/** @throws {UsageError} if it is not the address of an endpoint */
export function endpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new UsageError('The URL must be a whole one, such as http://localhost:3000/webhooks.')
}

async function bodies(options: SendOptions, io: Io): Promise<SendPlan['nextBody']> {
  const { event, body: file, set = [], bodyStyle } = options
  if (file !== undefined) {
    if ((event ?? bodyStyle) !== undefined || set.length > 0) {
      throw new UsageError(
        '--event, --set and --body-style make a body; with --body the bytes of the file are sent as they are.',
      )
    }
    const body = await readInput(file, io)
    return () => ({ body, name: placeOf(file) })
  }
  const type = eventType(event ?? 'transaction')
  const style = oneOf('--body-style', BODY_STYLES, bodyStyle ?? 'python')
  const settings = asUsage(() => set.map(parseSetting))
  const changed = settings.filter(({ path }) => path.join('.') === 'type').at(-1)?.value
  return () => {
    const text = asUsage(() => printedWith(makeEvent(type, changed), settings, style))
    return { body: Buffer.from(text), name: nameOf(text) }
  }
}

function nameOf(text: string): string {
  return String((JSON.parse(text) as { type: unknown }).type)
}
