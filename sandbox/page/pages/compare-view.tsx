import { useSignal, type Signal } from '@preact/signals'
import { useId, useMemo } from 'preact/hooks'
import { useResource } from '../api/resource.js'
import type { Attempt, Delivery } from '../api/types.js'
import { pairFields, readJson, type FieldPair } from '../json/json-tree.js'

interface CompareViewProps {
  readonly delivery: Delivery
  readonly attempt: Attempt
}

/** What was sent in an attempt, next to another attempt or another delivery, field by field. */
export function CompareView({ delivery, attempt }: CompareViewProps) {
  return <Comparison key={`${delivery.id} ${attempt.number}`} delivery={delivery} attempt={attempt} />
}

function Comparison({ delivery, attempt }: CompareViewProps) {
  const { attempts } = delivery
  /** "body" is what was signed; a number is an attempt; anything else the id of a delivery. */
  const choice = useSignal(firstChoice(delivery, attempt))
  const isOther = useSignal(false)
  const isAll = useSignal(false)
  const id = useId()
  const right: Side = { title: `Attempt ${attempt.number}`, body: attempt.body }
  const left = sideOf(delivery, choice.value)
  return (
    <>
      <div class="view-tools compare-tools">
        <label for={id}>{right.title} next to</label>
        <select
          id={id}
          value={isOther.value ? 'other' : choice.value}
          onChange={({ currentTarget: { value } }) => {
            isOther.value = value === 'other'
            if (!isOther.value) choice.value = value
          }}
        >
          <option value="body">the event as it was made</option>
          {attempts
            .filter(({ number }) => number !== attempt.number)
            .map(({ number }) => (
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
      {left === undefined ? (
        <OtherDelivery id={choice.value} right={right} isAll={isAll} />
      ) : (
        <Fields left={left} right={right} isAll={isAll} />
      )}
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

/** What is in the delivery itself; undefined if it is another one. */
function sideOf({ body, attempts }: Delivery, choice: string): Side | undefined {
  if (choice === 'body') return { title: 'As it was made', body }
  const attempt = attempts.find(({ number }) => String(number) === choice)
  return attempt && { title: `Attempt ${choice}`, body: attempt.body }
}

interface FieldsProps {
  readonly left: Side
  readonly right: Side
  /** Whether fields that are the same are shown, too. */
  readonly isAll: Signal<boolean>
}

function OtherDelivery({ id, ...props }: { readonly id: string } & Omit<FieldsProps, 'left'>) {
  const { data, problem } = useResource<Delivery>(`/_sandbox/deliveries/${encodeURIComponent(id)}/`)
  if (problem.value !== undefined) return <p class="view-text">{problem.value.message}</p>
  if (data.value === undefined) return null
  return <Fields left={{ title: data.value.type, body: data.value.body }} {...props} />
}

function Fields({ left, right, isAll }: FieldsProps) {
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
