import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { post } from '../api/client.js'
import { useAccounts, useResource } from '../api/resource.js'
import type { Account, Settings } from '../api/types.js'
import { MODES, SelectField, UrlField, type Option } from '../parts/fields.js'
import { itemPath } from '../parts/links.js'
import { lastWebhookUrl } from '../parts/test-payment.js'
import { toastError } from '../parts/toasts.js'
import { belongTo, draft } from './compose-draft.js'

const SEQUENCES: readonly (readonly [name: string, title: string, hint: string])[] = [
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

const FAULTS: readonly (readonly [fault: keyof typeof draft.faults, title: string])[] = [
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
      <Sequence />
      <fieldset class="options">
        <legend>Break the signature</legend>
        <p class="hint">A verifier must refuse each of these.</p>
        {FAULTS.map(([fault, title]) => (
          <Box key={fault} isSet={draft.faults[fault]}>
            {title}
          </Box>
        ))}
      </fieldset>
      <fieldset class="options">
        <legend>Sending</legend>
        <Box isSet={draft.retries}>Retry until it is accepted</Box>
        <Box isSet={draft.isExact}>
          <span>
            Byte for byte <span class="hint">and not printed as other events are</span>
          </span>
        </Box>
      </fieldset>
    </div>
  )
}

interface BoxProps {
  readonly isSet: Signal<boolean>
  readonly children: ComponentChildren
}

function Box({ isSet, children }: BoxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isSet.value}
        onChange={({ currentTarget }) => {
          isSet.value = currentTarget.checked
        }}
      />
      {children}
    </label>
  )
}

function Target() {
  const { url, intent } = draft
  const settings = useResource<Settings>('/_sandbox/settings/', { kinds: ['settings'] }).data.value
  const fallback = settings?.default_endpoint ?? undefined
  useEffect(() => {
    // Without a default endpoint, the address that was used last.
    if (settings !== undefined && fallback === undefined) url.value ??= lastWebhookUrl()
  }, [settings, fallback])
  return (
    <div class="options">
      <UrlField
        label="Webhook URL"
        name="url"
        {...(fallback !== undefined && { placeholder: fallback, hint: 'Empty: the default endpoint.' })}
        value={url.value ?? ''}
        onChange={(typed) => {
          url.value = typed
        }}
      />
      {intent.value !== undefined && (
        <p class="hint">
          Belongs to <a href={itemPath('intents', intent.value)}>{intent.value}</a>
        </p>
      )}
    </div>
  )
}

const ANOTHER: Option = ['another', 'Another account']

/** The account and the mode of the event: a handler must refuse those of others. */
function Owner() {
  const accounts = useAccounts()
  const account = draft.account.value ?? accounts[0]?.id
  if (account === undefined) return null
  const isLive = draft.isLive.value
  const options = accounts.map(({ id, name }): Option => [id, name])
  const [another, name] = ANOTHER
  const choose = async (value: string) => {
    const id = value === another ? (await post<Account>('/_sandbox/accounts/', { name })).id : value
    belongTo(id, isLive, accounts)
  }
  return (
    <div class="options">
      <SelectField
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
        options={accounts.length === 1 ? [...options, ANOTHER] : options}
        onChange={(value) => {
          choose(value).catch(toastError)
        }}
      />
    </div>
  )
}

function Sequence() {
  const { sequence, count, delaySeconds } = draft
  const [, , hint] = SEQUENCES.find(([name]) => name === sequence.value)!
  return (
    <fieldset class="options">
      <legend>Sequence</legend>
      <select
        aria-label="Sequence"
        value={sequence.value}
        onChange={({ currentTarget }) => {
          sequence.value = currentTarget.value
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
  readonly value: Signal<number>
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
