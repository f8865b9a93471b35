import { signal } from '@preact/signals'
import { get } from '../api/client.js'
import type { Account, Delivery, Template } from '../api/types.js'
import { jsonProblem, printJson } from '../parts/json-text.js'

/** What is being composed. It stays while other pages are looked at. */
export const draft = {
  /** The template or the delivery that it began with. */
  origin: signal<string | undefined>(undefined),
  text: signal(''),
  /** Undefined: the default endpoint. */
  url: signal<string | undefined>(undefined),
  intent: signal<string | undefined>(undefined),
  account: signal<string | undefined>(undefined),
  isLive: signal(false),
  isExact: signal(false),
  retries: signal(true),
  /** "once", "duplicate", "out-of-order", "delayed" or "burst". */
  sequence: signal('once'),
  count: signal(10),
  delaySeconds: signal(5),
  faults: {
    tamper: signal(false),
    stale: signal(false),
    'wrong-secret': signal(false),
    'no-signature': signal(false),
  },
}

export function beginWithTemplate({ name, payload }: Template): void {
  draft.origin.value = `template ${name}`
  draft.text.value = JSON.stringify(payload, null, 2)
  draft.intent.value = undefined
  draft.account.value = undefined
  draft.isLive.value = false
}

/** Its body on several lines, and the same addressee. */
export async function beginWithDelivery(id: string): Promise<void> {
  const delivery = await get<Delivery>(`/_sandbox/deliveries/${encodeURIComponent(id)}/`)
  const isJson = jsonProblem(delivery.body) === undefined
  draft.origin.value = `delivery ${id}`
  draft.text.value = isJson ? printJson(delivery.body) : delivery.body
  draft.isExact.value = !isJson
  draft.url.value = delivery.url
  draft.intent.value = delivery.intent ?? undefined
  draft.account.value = delivery.account
  draft.isLive.value = delivery.is_live
}

/** Makes it an event of an account and a mode, in the text and in what signs it. */
export function belongTo(account: string, isLive: boolean, accounts: readonly Account[]): void {
  draft.account.value = account
  draft.isLive.value = isLive
  // As text, so that everything else stays as it was typed.
  draft.text.value = accounts
    .reduce((text, { id }) => text.replaceAll(`"${id}"`, `"${account}"`), draft.text.value)
    .replace(/("is_live"\s*:\s*)(?:true|false)/g, `$1${isLive}`)
}

/** The body of the request that sends it. */
export function requestBody(isJson: boolean): object {
  const faults = Object.entries(draft.faults).filter(([, isSet]) => isSet.value)
  const text = draft.text.value
  const sequence = draft.sequence.value
  const payload = isJson && !draft.isExact.value ? { payload: JSON.parse(text) as unknown } : { text }
  // Two events are needed for another order; if there is only one, the service takes the two of a payment.
  const isUsed = sequence !== 'out-of-order' || /^\s*\[/.test(text)
  return {
    ...(draft.url.value !== '' && { url: draft.url.value }),
    ...(isUsed && payload),
    intent: draft.intent.value,
    account: draft.account.value,
    is_live: draft.isLive.value,
    retries: draft.retries.value,
    sequence,
    ...(sequence === 'burst' && { count: draft.count.value }),
    ...(sequence === 'delayed' && { delay_ms: draft.delaySeconds.value * 1000 }),
    ...Object.fromEntries(faults.map(([fault]) => [fault.replace('-', '_'), true])),
  }
}
