import { causeSentences } from './cause.js'
import { fieldOf, type SavedDelivery } from './delivery.js'
import { readFixture } from './fixture.js'
import { printable } from './printable.js'

/** Whether it is a delivery as the control API of the sandbox answers it, or its `data`. */
export function isSandboxDelivery(value: unknown): boolean {
  const delivery = deliveryIn(value)
  return typeof fieldOf(delivery, 'id') === 'string' && Array.isArray(fieldOf(delivery, 'attempts'))
}

/**
 * The last attempt of a delivery of the sandbox.
 *
 * @throws {Error} if there is no attempt, or a field is missing or wrong
 */
export function readSandboxDelivery(value: unknown): SavedDelivery {
  const delivery = deliveryIn(value)
  const id = printable(fieldOf(delivery, 'id') as string)
  // Copies that the sandbox sent to find a cause are not the delivery.
  const attempts = (fieldOf(delivery, 'attempts') as readonly unknown[]).filter(
    (attempt) => fieldOf(attempt, 'is_check') !== true,
  )
  const last = attempts.at(-1)
  if (last === undefined) throw new Error('The delivery has no attempt yet.')
  const faults = [fieldOf(last, 'faults')].flat().filter((fault) => typeof fault === 'string')
  const saved = readFixture({
    format: 'service-signature-delivery',
    version: 1,
    recorded_at: fieldOf(last, 'at'),
    type: fieldOf(delivery, 'type'),
    headers: fieldOf(last, 'headers'),
    body: fieldOf(last, 'body'),
    faults: fieldOf(last, 'faults'),
    answer: fieldOf(last, 'answer'),
  })
  const others = `The delivery has ${attempts.length} attempts, and this is the last. For another one: .../_sandbox/deliveries/${id}/export/?attempt=1`
  return {
    ...saved,
    notes: [
      ...causeIn(last),
      ...(attempts.length > 1 ? [others] : []),
      ...(faults.length > 0
        ? [`The sandbox broke this attempt on purpose: ${printable(faults.join(', '))}.`]
        : []),
    ],
  }
}

/** What the sandbox has found, as its page says it. */
function causeIn(attempt: unknown): readonly string[] {
  const cause = fieldOf(attempt, 'cause')
  const [title, detail, fix, said] = ['title', 'detail', 'fix', 'said'].map((name) => fieldOf(cause, name))
  if (typeof title !== 'string' || typeof detail !== 'string' || typeof fix !== 'string') return []
  const sentences = causeSentences({ title, detail, fix, ...(typeof said === 'string' && { said }) })
  return [
    ...sentences.map((each, index) => printable(index === 0 ? `The sandbox found: ${each}` : each, Infinity)),
    'The delivery is checked here as it was sent. If it verifies, the fault happened at your endpoint.',
  ]
}

function deliveryIn(value: unknown): unknown {
  return fieldOf(value, 'data') ?? value
}
