import { useSignal } from '@preact/signals'
import { DECIMALS } from '../../server/intents/currencies.js'
import { useAccounts, useResource } from '../api/resource.js'
import type { CustomerWithCards } from '../api/types.js'
import { amountText } from '../format.js'
import { Button } from '../parts/button.js'
import { CheckField, Choice, MODES, SelectField, TextField, UrlField, type Option } from '../parts/fields.js'
import { Form } from '../parts/form.js'
import { Panel } from '../parts/panel.js'
import { rememberWebhookUrl, useWebhookUrl } from '../parts/test-payment.js'
import {
  cardOptions,
  customerOptions,
  FIRST_CARD,
  firstEntries,
  makePayment,
  NEW,
  pay,
  readAmount,
  withDecimals,
  type Entries,
} from './payment-entries.js'

const COMMON = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'SEK', 'JPY', 'KWD']
const CODES = new Set([...COMMON, ...[...DECIMALS.keys()].sort()])
const CURRENCIES: readonly Option[] = [...CODES].map((code) => [code, code])
const PROVIDERS: readonly Option[] = [
  ['', 'Any'],
  ...['north', 'south', 'east'].map((id) => [id, id] as const),
]

type BoxEntry = 'savesCard' | 'isMerchantInitiated'
type TextEntry = Exclude<keyof Entries, BoxEntry | 'isLive'>

interface PaymentFormProps {
  /** What a link to the form has chosen. */
  readonly customer: string | undefined
  readonly card: string | undefined
  readonly onMade: (intentId: string) => void
}

/** Everything that a payment needs. */
export function PaymentForm({ customer: givenCustomer, card: givenCard, onMade }: PaymentFormProps) {
  const entries = useSignal(firstEntries(givenCustomer, givenCard))
  const { url, setUrl } = useWebhookUrl()
  const accounts = useAccounts()
  const customers = useCustomers()
  const form = entries.value
  const change = (changed: Partial<Entries>) => {
    entries.value = { ...entries.value, ...changed }
  }
  const text = (name: TextEntry) => ({
    value: form[name],
    onChange: (value: string) => {
      change({ [name]: value })
    },
  })
  const box = (name: BoxEntry) => ({
    isChecked: form[name],
    onChange: (isChecked: boolean) => {
      change({ [name]: isChecked })
    },
  })

  const customer = customers.find(({ id }) => id === form.customer)
  const hasCustomer = form.customer !== ''
  const isSaved = customer?.cards.some(({ id }) => id === form.card) === true
  // A customer belongs to one mode.
  const isLive = customer?.is_live ?? form.isLive
  const account = form.account === '' ? (accounts[0]?.id ?? '') : form.account
  const amount = readAmount(form.amount, form.currency)
  const isWrong = typeof amount === 'string'

  async function make(isPaid: boolean): Promise<void> {
    if (isWrong) return
    const payment = { entries: form, amount, account, isLive, isSaved, webhookUrl: url }
    const intent = await makePayment(payment)
    rememberWebhookUrl(url)
    onMade(intent)
    if (isPaid) await pay(intent, payment)
  }

  return (
    <Form>
      <Panel title="Payment">
        <div class="form">
          <div class="amount-fields whole">
            <TextField
              label="Amount"
              inputMode="decimal"
              problem={isWrong ? amount : undefined}
              {...text('amount')}
            />
            <SelectField
              label="Currency"
              value={form.currency}
              options={CURRENCIES}
              onChange={(currency) => {
                change({ currency, amount: withDecimals(form.amount, currency) })
              }}
            />
          </div>
          <div class="whole">
            <SelectField label="Card" options={cardOptions(customer)} {...text('card')} />
          </div>
          <SelectField
            label="Customer"
            value={form.customer}
            options={customerOptions(customers)}
            onChange={(id) => {
              change({ customer: id, card: FIRST_CARD })
            }}
          />
          {form.customer === NEW && <TextField label="Name" {...text('name')} />}
          {hasCustomer && !isSaved && (
            <div class="whole">
              <CheckField label="Save the card" {...box('savesCard')} />
            </div>
          )}
          <div class="whole">
            <UrlField
              label="Webhook URL"
              name="webhook_url"
              hint="Where the events go. Empty: the default endpoint, if there is one."
              value={url}
              onChange={setUrl}
            />
          </div>
          <Choice
            label="Mode"
            value={String(isLive)}
            options={MODES.filter(([value]) => customer === undefined || value === String(isLive))}
            onChange={(value) => {
              change({ isLive: value === 'true' })
            }}
          />
          <details class="more whole">
            <summary>Provider, agreement, account, reference</summary>
            <div class="form">
              <SelectField label="Provider" options={PROVIDERS} {...text('provider')} />
              <SelectField
                label="Account"
                options={accounts.map(({ id, name }) => [id, name])}
                {...text('account')}
                value={account}
              />
              <TextField
                label="Agreement id"
                hint={hasCustomer ? 'Lets the merchant charge the card again.' : 'Needs a customer.'}
                {...text('agreement')}
              />
              <TextField label="Reference" placeholder="Order 1001" {...text('reference')} />
              {isSaved && (
                <div class="whole">
                  <CheckField
                    label="Initiated by the merchant (MIT)"
                    hint="Without the customer, under an agreement that a payment of the customer began."
                    {...box('isMerchantInitiated')}
                  />
                </div>
              )}
            </div>
          </details>
          <div class="form-actions whole">
            <Button kind="primary" isSubmit isDisabled={isWrong} onPress={() => make(true)}>
              {isWrong ? 'Pay' : `Pay ${amountText(amount, form.currency)}`}
            </Button>
            {!isSaved && (
              <Button isDisabled={isWrong} title="For the hosted form or the API" onPress={() => make(false)}>
                Create it only
              </Button>
            )}
          </div>
        </div>
      </Panel>
    </Form>
  )
}

/** The newest customers, to choose from. */
function useCustomers(): readonly CustomerWithCards[] {
  const { data } = useResource<readonly CustomerWithCards[]>('/_sandbox/newest/customers/?limit=50', {
    kinds: ['customer', 'card'],
  })
  return data.value ?? []
}
