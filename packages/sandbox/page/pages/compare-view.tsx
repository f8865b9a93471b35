import { useSignal, useSignalEffect } from '@preact/signals'
import { useId, useMemo } from 'preact/hooks'
import { get, messageOf } from '../api/client.js'
import type { Attempt, Delivery } from '../api/types.js'
import { pairFields, type FieldPair } from '../json/json-differences.js'
import { readJson } from '../json/json-tree.js'

interface CompareViewProps {
  readonly delivery: Delivery
  readonly attempt: Attempt
}

/** What was sent in an attempt, next to another attempt or another delivery, field by field. */
export function CompareView({ delivery, attempt }: CompareViewProps) {
  const { attempts } = delivery
  const others = attempts.filter(({ number }) => number !== attempt.number)
  /** "body" is what was signed; a number is an attempt; anything else the id of a delivery. */
  const choice = useSignal(firstChoice(delivery, attempt))
  const isOther = useSignal(false)
  const id = useId()
  return (
    <>
      <div class="view-tools compare-tools">
        <label for={id}>Attempt {attempt.number} next to</label>
        <select
          id={id}
          value={isOther.value ? 'other' : choice.value}
          onChange={({ currentTarget: { value } }) => {
            isOther.value = value === 'other'
            if (value !== 'other') choice.value = value
          }}
        >
          <option value="body">the event as it was made</option>
          {others.map(({ number }) => (
            <option value={String(number)} key={number}>
              attempt {number}
            </option>
          ))}
          <option value="other">another delivery</option>
        </select>
        {isOther.value && (
          <input
            type="text"
            class="mono"
            aria-label="Id or address of the other delivery"
            placeholder="dlv_..."
            onChange={({ currentTarget: { value } }) => {
              choice.value = /dlv_\w+/.exec(value)?.[0] ?? value.trim()
            }}
          />
        )}
      </div>
      <Comparison delivery={delivery} attempt={attempt} choice={choice.value} />
    </>
  )
}

/** A changed body is compared with the right one, any other with the attempt before. */
function firstChoice({ body, attempts }: Delivery, attempt: Attempt): string {
  const isChanged = attempt.body !== body
  if (isChanged || attempts.length === 1) return 'body'
  return String(attempt.number === 1 ? 2 : attempt.number - 1)
}

interface Side {
  readonly title: string
  readonly body: string
}

function Comparison({ delivery, attempt, choice }: CompareViewProps & { readonly choice: string }) {
  const other = useSignal<Side | string | undefined>(undefined)
  const wanted = useSignal(choice)
  wanted.value = choice
  useSignalEffect(() => {
    const asked = wanted.value
    void sideOf(delivery, asked).then((side) => {
      if (asked === wanted.peek()) other.value = side
    })
  })
  const side = other.value
  if (side === undefined) return null
  if (typeof side === 'string') return <p class="view-text">{side}</p>
  const mine: Side = { title: `Attempt ${attempt.number}`, body: attempt.body }
  return <Fields left={side} right={mine} />
}

/** A sentence, if there is no such delivery. */
async function sideOf(delivery: Delivery, choice: string): Promise<Side | string> {
  if (choice === 'body') return { title: 'As it was made', body: delivery.body }
  const attempt = delivery.attempts.find(({ number }) => String(number) === choice)
  if (attempt !== undefined) return { title: `Attempt ${choice}`, body: attempt.body }
  try {
    const { type, body } = await get<Delivery>(`/_sandbox/deliveries/${encodeURIComponent(choice)}/`)
    return { title: type, body }
  } catch (error) {
    return messageOf(error)
  }
}

function Fields({ left, right }: { readonly left: Side; readonly right: Side }) {
  const isAll = useSignal(false)
  const pairs = useMemo(() => fieldPairs(left.body, right.body), [left.body, right.body])
  const different = pairs.filter(isDifferent)
  const shown = isAll.value ? pairs : different
  return (
    <>
      <p class="view-text" role="status">
        {summaryOf(left.body === right.body, different.length)}
      </p>
      <label class="check view-text">
        <input
          type="checkbox"
          checked={isAll.value}
          onChange={() => {
            isAll.value = !isAll.value
          }}
        />
        Show the fields that are the same, too
      </label>
      {shown.length > 0 && (
        <div class="compare-frame" tabIndex={0} role="region" aria-label="Differences">
          <table class="compare">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">{left.title}</th>
                <th scope="col">{right.title}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((pair) => (
                <tr key={pair.path} data-different={isDifferent(pair)}>
                  <th scope="row">{pair.path === '' ? 'body' : pair.path}</th>
                  <td>{pair.left ?? <em>missing</em>}</td>
                  <td>{pair.right ?? <em>missing</em>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

function isDifferent({ left, right }: FieldPair): boolean {
  return left !== right
}

/** Bodies that are not JSON are one field. */
function fieldPairs(left: string, right: string): readonly FieldPair[] {
  const [first, second] = [readJson(left), readJson(right)]
  if ('tree' in first && 'tree' in second) return pairFields(first.tree, second.tree)
  return [{ path: '', left, right }]
}

function summaryOf(isSame: boolean, count: number): string {
  if (isSame) return 'The bodies are the same, byte for byte.'
  if (count === 0) return 'The fields are the same; the white space or the order differs.'
  return count === 1 ? '1 field differs.' : `${count} fields differ.`
}
