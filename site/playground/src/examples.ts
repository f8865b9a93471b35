import recorded from './recorded-faults.json' with { type: 'json' }
import type { PlaygroundCase } from './playground-case.js'

/** A case to load, and what it shows. */
export interface Example {
  readonly id: string
  readonly group: 'Basic' | 'Recorded faults'
  readonly title: string
  readonly given: PlaygroundCase
}

const { secret, apiKey } = recorded
const { header, body } = recorded.sent.transaction
const SIGNED_AT = 1743090080_000
const RECEIVED_AT = SIGNED_AT + 12_000

const valid: PlaygroundCase = { header, body, secret, apiKey, receivedAt: RECEIVED_AT }

const basic: readonly Example[] = [
  { id: 'valid', group: 'Basic', title: 'A valid delivery', given: valid },
  {
    id: 'all-versions',
    group: 'Basic',
    title: 'A valid delivery, all three versions required',
    given: { ...valid, versions: ['v1', 'v2', 'v3'] },
  },
  {
    id: 're-serialized',
    group: 'Basic',
    title: 'The body was parsed and re-serialized: 50.0 became 50',
    given: { ...valid, body: JSON.stringify(JSON.parse(body)) },
  },
  {
    id: 'wrong-secret',
    group: 'Basic',
    title: 'The secret of another organization',
    given: { ...valid, secret: 'wsk_live/1aB3+CdE5fGh7Ij9KlMn2Op4==' },
  },
  {
    id: 'cut-body',
    group: 'Basic',
    title: 'The body was cut after 512 bytes',
    given: { ...valid, body: body.slice(0, 512) },
  },
  {
    id: 'old',
    group: 'Basic',
    title: 'The delivery was recorded, and sent again two days later',
    given: { ...valid, receivedAt: SIGNED_AT + 2 * 86_400_000 },
  },
]

const SENT: Readonly<Record<string, { readonly header: string; readonly body: string }>> = recorded.sent

/** Faults that real tools made of a delivery, from the recordings of explain's tests. What is missing is as it was sent. */
const faults: readonly Example[] = recorded.faults.map(({ id, title, sent, given }) => ({
  id,
  group: 'Recorded faults',
  title,
  given: { ...SENT[sent]!, secret, ...given },
}))

export const EXAMPLES: readonly Example[] = [...basic, ...faults]
