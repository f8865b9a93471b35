import { useEffect, useId } from 'preact/hooks'
import { useAccounts } from '../api/accounts.js'
import { post } from '../api/client.js'
import type { Account, Fault, Settings } from '../api/types.js'
import { useResource } from '../api/resource.js'
import { Choice, MODES, SelectField, type Option } from '../parts/fields.js'
import { lastWebhookUrl, rememberWebhookUrl } from '../parts/test-payment.js'
import { toastError } from '../parts/toasts.js'
import { belongTo, draft, type Sequence } from './compose-draft.js'

const SEQUENCES: readonly (readonly [Sequence, string, string])[] = [
  ['once', 'Once', 'One delivery.'],
  ['duplicate', 'Twice', 'The same event two times. Your endpoint must handle it once.'],
  [
    'out-of-order',
    'Out of order',
    'The two events of a payment, the second one first. The text is not used, unless it is a list of two.',
  ],
  ['delayed', 'Delayed', 'After a pause.'],
  ['burst', 'Burst', 'Many at the same time, each with an id of its own.'],
]

const FAULTS: readonly (readonly [Fault, string])[] = [
  ['tamper', 'Change the amount after signing'],
  ['stale', 'Sign with a time an hour old'],
  ['wrong-secret', 'Sign with another secret'],
  ['no-signature', 'Leave out the signature'],
]

/** Where the event goes, how often, and what is wrong with it. */
export function ComposeOptions() {
  return (
    <div class="compose-options">
      <Target />
      <Owner />
      <SequenceOptions />
      <fieldset class="options">
        <legend>Break the signature</legend>
        <p class="hint">A verifier must refuse each of these.</p>
        {FAULTS.map(([fault, title]) => (
          <label class="check" key={fault}>
            <input
              type="checkbox"
              checked={draft.faults.value.has(fault)}
              onChange={() => {
                const faults = new Set(draft.faults.value)
                if (!faults.delete(fault)) faults.add(fault)
                draft.faults.value = faults
              }}
            />
            {title}
          </label>
        ))}
      </fieldset>
      <fieldset class="options">
        <legend>Sending</legend>
        <label class="check">
          <input
            type="checkbox"
            checked={draft.retries.value}
            onChange={() => {
              draft.retries.value = !draft.retries.value
            }}
          />
          Retry until it is accepted
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={draft.isExact.value}
            onChange={() => {
              draft.isExact.value = !draft.isExact.value
            }}
          />
          <span>
            Byte for byte <span class="hint">and not printed as other events are</span>
          </span>
        </label>
      </fieldset>
    </div>
  )
}

function Target() {
  const id = useId()
  const { data: settings } = useResource<Settings>('/_sandbox/settings/', { kinds: ['settings'] })
  const fallback = settings.value?.default_endpoint ?? undefined
  const isKnown = settings.value !== undefined
  useEffect(() => {
    // Without a default endpoint, the address that was used last.
    if (isKnown && fallback === undefined && draft.url.value === undefined) draft.url.value = lastWebhookUrl()
  }, [isKnown, fallback])
  return (
    <fieldset class="options">
      <legend>Target</legend>
      <label class="hidden" for={id}>
        Webhook URL
      </label>
      <input
        id={id}
        type="url"
        inputMode="url"
        placeholder={fallback ?? 'http://localhost:3000/webhooks'}
        value={draft.url.value ?? ''}
        onInput={({ currentTarget }) => {
          draft.url.value = currentTarget.value.trim()
          rememberWebhookUrl(draft.url.value)
        }}
      />
      {fallback !== undefined && !draft.url.value && <p class="hint">The default endpoint.</p>}
      {draft.intent.value !== undefined && (
        <p class="hint">
          Belongs to <a href={`/intents/${draft.intent.value}/`}>{draft.intent.value}</a>
        </p>
      )}
    </fieldset>
  )
}

const ANOTHER = 'another'

/** The account and the mode of the event: a handler must refuse those of others. */
function Owner() {
  const accounts = useAccounts()
  const account = draft.account.value ?? accounts[0]?.id
  if (account === undefined) return null
  const isLive = draft.isLive.value
  const options: Option[] = accounts.map(({ id, name }) => [id, name])
  if (accounts.length === 1) options.push([ANOTHER, 'Another account'])
  const choose = async (value: string) => {
    const id =
      value === ANOTHER ? (await post<Account>('/_sandbox/accounts/', { name: 'Another account' })).id : value
    belongTo(id, isLive, accounts)
  }
  return (
    <div class="options">
      <Choice
        label="Mode"
        value={String(isLive)}
        options={MODES}
        onChange={(value) => {
          belongTo(account, value === 'true', accounts)
        }}
      />
      <SelectField
        label="Account"
        hint="v1 is signed with its key of this mode, v2 and v3 with the secret that all accounts share."
        value={account}
        options={options}
        onChange={(value) => {
          choose(value).catch(toastError)
        }}
      />
    </div>
  )
}

function SequenceOptions() {
  const { sequence, count, delaySeconds } = draft
  const [, , hint] = SEQUENCES.find(([name]) => name === sequence.value)!
  return (
    <fieldset class="options">
      <legend>Sequence</legend>
      <select
        aria-label="Sequence"
        value={sequence.value}
        onChange={({ currentTarget }) => {
          sequence.value = currentTarget.value as Sequence
        }}
      >
        {SEQUENCES.map(([name, title]) => (
          <option value={name} key={name}>
            {title}
          </option>
        ))}
      </select>
      {sequence.value === 'burst' && <NumberField label="How many" max={500} value={count} />}
      {sequence.value === 'delayed' && <NumberField label="Seconds" max={60} value={delaySeconds} />}
      <p class="hint">{hint}</p>
    </fieldset>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly max: number
  readonly value: { value: number }
}

function NumberField({ label, max, value }: NumberFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        min={1}
        max={max}
        step={1}
        value={value.value}
        onInput={({ currentTarget: { valueAsNumber } }) => {
          if (Number.isInteger(valueAsNumber)) value.value = Math.min(Math.max(valueAsNumber, 1), max)
        }}
      />
    </label>
  )
}
