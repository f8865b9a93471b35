import { fingerprint, verify, WebhookError, type VerifiedWebhook } from '@service-signature/core'
import { printable } from '@service-signature/deliveries'
import {
  EXIT,
  inLines,
  keysFor,
  paint,
  print,
  printJson,
  remark,
  type Io,
  type KeyName,
} from '@service-signature/terminal'
import { readChecking, type Checking, type CheckingOptions } from '../delivery/checking.js'

/** Says what is proven of a saved delivery, or why it is refused. */
export async function run(options: CheckingOptions, io: Io): Promise<number> {
  const checking = await readChecking(options, io, { keysAsIs: false })
  const { delivery, rules } = checking
  for (const note of delivery.notes) remark(io, `Note: ${note}`)
  try {
    const webhook = await verify(delivery.body, delivery.header, rules)
    const proof = await proofOf(webhook, checking)
    if (options.json) printJson(io, { ok: true, ...proof })
    else
      print(
        io,
        paint(io, 'green', 'Genuine') + inLines(io, `Genuine: ${inWords(proof)}`).slice('Genuine'.length),
      )
    return EXIT.good
  } catch (error) {
    if (!WebhookError.is(error)) throw error
    const { code, message } = error
    if (options.json) printJson(io, { ok: false, error: { code, message } })
    else
      print(
        io,
        paint(io, 'red', code) +
          inLines(io, `${code}: ${message}\n${hint(error, delivery.header)}`).slice(code.length),
      )
    return EXIT.refused
  }
}

interface Proof {
  readonly event: { readonly shape: string; readonly type: string | undefined }
  readonly timestamp: number
  readonly ageSeconds: number
  readonly versions: readonly string[]
  readonly canonicalForm?: string
  /** The fingerprints of the keys that matched. */
  readonly keys: Readonly<Partial<Record<KeyName, string>>>
}

async function proofOf(
  { event, timestamp, versions, canonicalForm }: VerifiedWebhook,
  { rules }: Checking,
): Promise<Proof> {
  const names = keysFor(rules.versions)
  const prints = await Promise.all(names.map((name) => fingerprint(rules[name]!)))
  return {
    event: { shape: event.shape, type: event.shape === 'unrecognized' ? event.receivedType : event.type },
    timestamp,
    ageSeconds: Math.floor(rules.now() / 1000) - timestamp,
    versions,
    ...(canonicalForm && { canonicalForm }),
    keys: Object.fromEntries(names.map((name, i) => [name, prints[i]!])),
  }
}

const NAMES: Readonly<Record<KeyName, string>> = { secret: 'secret', apiKey: 'API key' }

function inWords({ event, ageSeconds, timestamp, versions, canonicalForm, keys }: Proof): string {
  const type = event.type === undefined ? 'without a type' : printable(event.type, 80)
  const what = event.shape === 'unrecognized' ? `unrecognized event ${type}` : type
  const age = ageSeconds < 0 ? `${-ageSeconds} s ahead` : `${ageSeconds} s ago`
  const date = new Date(timestamp * 1000).toISOString().replace('.000', '')
  const form = canonicalForm === undefined ? '' : ` (v2 printed as ${canonicalForm})`
  const found = Object.entries(keys).map(([name, print]) => `the ${NAMES[name as KeyName]} ${print}`)
  return `${what}, signed ${age} (${date}), ${versions.join(' and ')} made with ${found.join(' and ')}${form}.`
}

function hint({ code }: WebhookError, header: string | null): string {
  const time = /(?:^|[, \t])t=(\d+)/.exec(header ?? '')
  if (code === 'ERR_TIMESTAMP_TOO_OLD' || code === 'ERR_TIMESTAMP_IN_FUTURE') {
    return `To check a saved delivery as of the moment it was signed, add: --now ${time![1]!}`
  }
  return 'To find out why, run the same command with explain in place of verify.'
}
