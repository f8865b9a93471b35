import { useAccounts } from '../api/resource.js'
import { CheckField, MODES, SelectField, UrlField } from '../parts/fields.js'
import { bound } from '../parts/form.js'
import { itemPath } from '../parts/links.js'
import { belongTo, draft } from './compose-draft.js'
import { FORGERIES } from './delivery-side.js'

const SEQUENCES: readonly (readonly [name: string, title: string, hint: string])[] = [
  ['once', 'Once', 'One delivery.'],
  ['duplicate', 'Twice', 'The same event two times. Your endpoint must handle it once.'],
  ['out-of-order', 'Out of order', 'The two events of a payment, or of a list of two, the second one first.'],
  ['delayed', 'Delayed', 'After 5 s.'],
  ['burst', 'Burst', 'Ten at the same time, each with an id of its own.'],
]

interface ComposeOptionsProps {
  /** Where it goes. */
  readonly url: string
}

/** Where the event goes, how often, and what is wrong with it. */
export function ComposeOptions({ url }: ComposeOptionsProps) {
  const { sequence, faults, isExact, intent } = draft
  return (
    <div class="compose-options">
      <UrlField label="Webhook URL" name="url" value={url} onChange={bound(draft.url).onChange} />
      {intent.value !== undefined && (
        <p class="hint">
          Belongs to <a href={itemPath('intents', intent.value)}>{intent.value}</a>
        </p>
      )}
      <Owner />
      <SelectField
        label="Sequence"
        options={SEQUENCES.map(([name, title]) => [name, title])}
        hint={SEQUENCES.find(([name]) => name === sequence.value)![2]}
        {...bound(sequence)}
      />
      <fieldset class="options">
        <legend>Break the signature</legend>
        <p class="hint">A verifier must refuse each of these.</p>
        {FORGERIES.map(([fault, title, hint]) => (
          <CheckField
            key={fault}
            label={title}
            hint={hint}
            isChecked={faults.value.includes(fault)}
            onChange={(isChecked) => {
              const others = faults.value.filter((one) => one !== fault)
              faults.value = isChecked ? [...others, fault] : others
            }}
          />
        ))}
      </fieldset>
      <CheckField
        label="Byte for byte"
        hint="Not printed as other events are"
        isChecked={isExact.value}
        onChange={bound(isExact).onChange}
      />
    </div>
  )
}

/** The account and the mode of the event: a handler must refuse those of others. */
function Owner() {
  const accounts = useAccounts()
  const account = draft.account.value ?? accounts[0]?.id
  if (account === undefined) return null
  const isLive = draft.isLive.value
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
        options={accounts.map(({ id, name }) => [id, name])}
        onChange={(id) => {
          belongTo(id, isLive, accounts)
        }}
      />
    </div>
  )
}
