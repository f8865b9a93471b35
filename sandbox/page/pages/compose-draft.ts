import { signal } from '@preact/signals'
import { get } from '../api/client.js'
import type { Delivery, Template } from '../api/types.js'
import { jsonProblem, printJson } from '../parts/json-text.js'

/** What is being composed. It stays while other pages are looked at. */
export const draft = {
  /** The template or the delivery that it began with. */
  origin: signal<string | undefined>(undefined),
  text: signal(''),
  /** Undefined: the one that was used last. */
  url: signal<string | undefined>(undefined),
  /** Whose event it is, if it began with a delivery. */
  owner: signal<Partial<Pick<Delivery, 'intent' | 'account' | 'is_live'>>>({}),
  isExact: signal(false),
  /** "once", "duplicate", "out-of-order", "delayed" or "burst". */
  sequence: signal('once'),
}

export function beginWithTemplate({ name, payload }: Template): void {
  draft.origin.value = name
  draft.text.value = JSON.stringify(payload, null, 2)
  draft.owner.value = {}
}

/** Its body on several lines, and the same addressee. */
export async function beginWithDelivery(id: string): Promise<void> {
  const delivery = await get<Delivery>(`/_sandbox/deliveries/${encodeURIComponent(id)}/`)
  const { body, url, intent, account, is_live } = delivery
  const isJson = jsonProblem(body) === undefined
  draft.origin.value = id
  draft.text.value = isJson ? printJson(body) : body
  draft.isExact.value = !isJson
  draft.url.value = url
  draft.owner.value = { intent, account, is_live }
}

/** The body of the request that sends it. */
export function requestBody(isJson: boolean, url: string): object {
  const { text, owner, isExact, sequence } = draft
  const { intent, ...accountAndMode } = owner.value
  // Two events are needed for another order; if there is only one, the service takes the two of a payment.
  const isUsed = sequence.value !== 'out-of-order' || /^\s*\[/.test(text.value)
  const isSerialized = isJson && !isExact.value
  return {
    ...(url !== '' && { url }),
    ...(isUsed && (isSerialized ? { payload: JSON.parse(text.value) as unknown } : { text: text.value })),
    ...accountAndMode,
    intent: intent ?? undefined,
    sequence: sequence.value,
  }
}
