import { signal } from '@preact/signals'
import { get } from '../api/client.js'
import type { Account, Delivery, Fault, Template } from '../api/types.js'
import { readJson } from '../json/json-tree.js'
import { printJson } from '../json/print-json.js'

export type Sequence = 'once' | 'duplicate' | 'out-of-order' | 'delayed' | 'burst'

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
  sequence: signal<Sequence>('once'),
  count: signal(10),
  delaySeconds: signal(5),
  faults: signal<ReadonlySet<Fault>>(new Set()),
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
  const read = readJson(delivery.body)
  draft.origin.value = `delivery ${id}`
  draft.text.value = 'tree' in read ? printJson(read.tree) : delivery.body
  draft.isExact.value = !('tree' in read)
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
  const { text, url, intent, account, isLive, isExact, retries, sequence, count, delaySeconds, faults } =
    draft
  const payload =
    isJson && !isExact.value ? { payload: JSON.parse(text.value) as unknown } : { text: text.value }
  // Two events are needed for another order; if there is only one, the service takes the two of a payment.
  const isPair = sequence.value !== 'out-of-order' || /^\s*\[/.test(text.value)
  return {
    ...(url.value !== undefined && url.value !== '' && { url: url.value }),
    ...(isPair && payload),
    ...(intent.value !== undefined && { intent: intent.value }),
    ...(account.value !== undefined && { account: account.value }),
    is_live: isLive.value,
    retries: retries.value,
    sequence: sequence.value,
    ...(sequence.value === 'burst' && { count: count.value }),
    ...(sequence.value === 'delayed' && { delay_ms: delaySeconds.value * 1000 }),
    ...Object.fromEntries([...faults.value].map((fault) => [fault.replace('-', '_'), true])),
  }
}
