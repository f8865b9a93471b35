import { signal } from '@preact/signals'
import { get } from '../api/client.js'
import type { Account, Delivery, Fault, Template } from '../api/types.js'
import { jsonProblem, printJson } from '../parts/json-text.js'

/** What is being composed. It stays while other pages are looked at. */
export const draft = {
  /** The template or the delivery that it began with. */
  origin: signal<string | undefined>(undefined),
  text: signal(''),
  /** Undefined: the one that was used last. */
  url: signal<string | undefined>(undefined),
  intent: signal<string | undefined>(undefined),
  account: signal<string | undefined>(undefined),
  isLive: signal(false),
  isExact: signal(false),
  /** "once", "duplicate", "out-of-order", "delayed" or "burst". */
  sequence: signal('once'),
  /** What is wrong with its signature. */
  faults: signal<readonly Fault[]>([]),
}

export function beginWithTemplate({ name, payload }: Template): void {
  draft.origin.value = name
  draft.text.value = JSON.stringify(payload, null, 2)
  draft.intent.value = undefined
  draft.account.value = undefined
  draft.isLive.value = false
}

/** Its body on several lines, and the same addressee. */
export async function beginWithDelivery(id: string): Promise<void> {
  const delivery = await get<Delivery>(`/_sandbox/deliveries/${encodeURIComponent(id)}/`)
  const isJson = jsonProblem(delivery.body) === undefined
  draft.origin.value = id
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
export function requestBody(isJson: boolean, url: string): object {
  const { text, intent, account, isLive, isExact, sequence, faults } = draft
  // Two events are needed for another order; if there is only one, the service takes the two of a payment.
  const isUsed = sequence.value !== 'out-of-order' || /^\s*\[/.test(text.value)
  const isPrinted = isJson && !isExact.value
  return {
    ...(url !== '' && { url }),
    ...(isUsed && (isPrinted ? { payload: JSON.parse(text.value) as unknown } : { text: text.value })),
    intent: intent.value,
    account: account.value,
    is_live: isLive.value,
    sequence: sequence.value,
    ...Object.fromEntries(faults.value.map((fault) => [fault.replace('-', '_'), true])),
  }
}
