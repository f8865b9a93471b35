import type { Account } from '../api/types.js'
import { CheckField, SelectField, TextField, type Option } from '../parts/fields.js'
import type { Entries } from './payment-entries.js'

const PROVIDERS: readonly Option[] = [
  ['', 'Any'],
  ['north', 'north'],
  ['south', 'south'],
  ['east', 'east'],
]

interface MoreFieldsProps {
  readonly form: Entries
  readonly accounts: readonly Account[]
  /** Whether a saved card is charged. */
  readonly isSaved: boolean
  readonly change: (changed: Partial<Entries>) => void
}

/** What few payments need. */
export function MoreFields({ form, accounts, isSaved, change }: MoreFieldsProps) {
  const hasCustomer = form.customer !== ''
  return (
    <details class="more whole">
      <summary>Provider, agreement, account, reference</summary>
      <div class="form">
        <SelectField
          label="Provider"
          value={form.provider}
          options={PROVIDERS}
          onChange={(provider) => {
            change({ provider })
          }}
        />
        <SelectField
          label="Account"
          value={form.account === '' ? (accounts[0]?.id ?? '') : form.account}
          options={accounts.map(({ id, name }) => [id, name])}
          onChange={(account) => {
            change({ account })
          }}
        />
        <TextField
          label="Agreement id"
          hint={hasCustomer ? 'Lets the merchant charge the card again.' : 'Needs a customer.'}
          value={form.agreement}
          onChange={(agreement) => {
            change({ agreement })
          }}
        />
        <TextField
          label="Reference"
          placeholder="Order 1001"
          value={form.reference}
          onChange={(reference) => {
            change({ reference })
          }}
        />
        {isSaved && (
          <div class="whole">
            <CheckField
              label="Initiated by the merchant (MIT)"
              hint="Without the customer, under an agreement that a payment of the customer began."
              isChecked={form.isMerchantInitiated}
              onChange={(isMerchantInitiated) => {
                change({ isMerchantInitiated })
              }}
            />
          </div>
        )}
      </div>
    </details>
  )
}
