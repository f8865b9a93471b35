import { useSignal } from '@preact/signals'
import { DECIMALS } from '../../src/model/currencies.js'
import { useAccounts } from '../api/accounts.js'
import type { CustomerWithCards } from '../api/types.js'
import { makeIntent, payIntent } from '../api/make-payment.js'
import { useResource } from '../api/resource.js'
import { amountText } from '../format.js'
import { Button } from '../parts/button.js'
import { CheckField, Choice, MODES, SelectField, TextField, type Option } from '../parts/fields.js'
import { Panel } from '../parts/panel.js'
import { useWebhookUrl } from '../parts/test-payment.js'
import {
  cardOptions,
  customerOptions,
  FIRST_CARD,
  firstEntries,
  isSavedCard,
  NEW,
  readAmount,
  requestOf,
  withDecimals,
  type Entries,
} from './payment-entries.js'
import { MoreFields } from './payment-more.js'

const COMMON = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'SEK', 'JPY', 'KWD']
const CODES = new Set([...COMMON, ...[...DECIMALS.keys()].sort()])
const CURRENCIES: readonly Option[] = [...CODES].map((code) => [code, code])

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
  const customer = customers.find(({ id }) => id === form.customer)
  const isSaved = isSavedCard(form, customer)
  const amount = readAmount(form.amount, form.currency)
  const isWrong = typeof amount === 'string'

  async function make(isPaid: boolean): Promise<void> {
    if (isWrong) return
    const request = requestOf(form, amount, { accounts, customer, webhookUrl: url })
    const intent = await makeIntent(request)
    onMade(intent.id)
    if (isPaid) await payIntent(intent, request)
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
      }}
    >
      <Panel title="Payment">
        <div class="form">
          <div class="amount-fields whole">
            <TextField
              label="Amount"
              inputMode="decimal"
              value={form.amount}
              problem={isWrong ? amount : undefined}
              onChange={(text) => {
                change({ amount: text })
              }}
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
            <SelectField
              label="Card"
              value={form.card}
              options={cardOptions(customer)}
              onChange={(card) => {
                change({ card })
              }}
            />
          </div>
          <SelectField
            label="Customer"
            value={form.customer}
            options={customerOptions(customers)}
            onChange={(id) => {
              change({ customer: id, card: FIRST_CARD })
            }}
          />
          {form.customer === NEW && (
            <TextField
              label="Name"
              value={form.name}
              onChange={(name) => {
                change({ name })
              }}
            />
          )}
          {form.customer !== '' && !isSaved && (
            <div class="whole">
              <CheckField
                label="Save the card"
                isChecked={form.savesCard}
                onChange={(savesCard) => {
                  change({ savesCard })
                }}
              />
            </div>
          )}
          <div class="whole">
            <TextField
              label="Webhook URL"
              inputMode="url"
              placeholder="http://localhost:3000/webhooks"
              hint="Where the events go. Empty: the default endpoint, if there is one."
              value={url}
              onChange={(text) => {
                setUrl(text.trim())
              }}
            />
          </div>
          <Choice
            label="Mode"
            value={String(customer?.is_live ?? form.isLive)}
            options={MODES.filter(([value]) => customer === undefined || value === String(customer.is_live))}
            onChange={(value) => {
              change({ isLive: value === 'true' })
            }}
          />
          <MoreFields form={form} accounts={accounts} isSaved={isSaved} change={change} />
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
    </form>
  )
}

/** The newest customers, to choose from. */
function useCustomers(): readonly CustomerWithCards[] {
  const { data } = useResource<readonly CustomerWithCards[]>('/_sandbox/newest/customers/?limit=50', {
    kinds: ['customer', 'card'],
  })
  return data.value ?? []
}
