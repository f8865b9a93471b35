import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { grouped, TEST_CARDS as TEST_NUMBERS } from '../../assets/form/test-cards.js'
import { post } from '../api/client.js'
import { keyOf, makeIntent, payIntent } from '../api/payment.js'
import { useOverview, useResource } from '../api/resource.js'
import type { CardItem, Customer, CustomerItem } from '../api/types.js'
import { Button } from '../parts/button.js'
import {
  CheckField,
  MODES,
  SelectField,
  TextField,
  UrlField,
  useWebhookUrl,
  type Option,
} from '../parts/fields.js'
import { useFilters } from '../parts/filters.js'
import { bound, Form } from '../parts/form.js'
import { cardName, itemPath } from '../parts/links.js'
import { PageHead } from '../parts/page-head.js'
import { Panel } from '../parts/panel.js'
import './payments.css'

const TEST_CARDS = TEST_NUMBERS.map(({ number, brand, outcome }): Option => [
  number,
  `${grouped(number)} - ${outcome} (${brand})`,
])

/** What can be chosen of a list. */
const newest = (list: string) => `/_sandbox/newest/${list}/?limit=100`

/** The choice of a customer who is made with the payment. */
const NEW = 'new'

/** Makes and pays a payment in one step, and leads to what comes of it. It is filled in, so that one press is enough. */
export function PaymentForm() {
  const { route } = useLocation()
  const [given] = useFilters()
  const amount = useSignal('10.50')
  const currency = useSignal('EUR')
  const card = useSignal(given['card'] ?? TEST_CARDS[0]![0])
  const customerId = useSignal(given['customer'] ?? '')
  const savesCard = useSignal(false)
  const mode = useSignal('false')
  const accountId = useSignal('')
  const provider = useSignal('')
  const agreement = useSignal('')
  const reference = useSignal('')
  const { url, setUrl } = useWebhookUrl()
  const accounts = useOverview(['account']).data.value?.accounts ?? []
  const known = useResource<readonly CustomerItem[]>(newest('customers'), { kinds: ['customer'] })
  const saved = useResource<readonly CardItem[]>(newest('card-tokens'), { kinds: ['card'] })
  const customers = known.data.value ?? []
  const customer = customers.find(({ id }) => id === customerId.value)
  const cards = (saved.data.value ?? []).filter((one) => one.customer === customer?.id)
  // A saved card is charged with the intent.
  const isSaved = cards.some(({ id }) => id === card.value)
  // A customer belongs to one mode.
  const isLive = customer === undefined ? mode.value : String(customer.is_live)
  const account = accountId.value === '' ? (accounts[0]?.id ?? '') : accountId.value

  async function make(isPaid: boolean): Promise<void> {
    const key = await keyOf({ account, isLive: isLive === 'true' })
    const intent = await makeIntent(
      {
        // The sandbox says what is wrong with what was typed.
        amount: Number(amount.value.replace(',', '.')),
        amount_currency: currency.value,
        customer: customerId.value === NEW ? await makeCustomer(key) : customerId.value || undefined,
        provider: provider.value || undefined,
        ...(isSaved && { card_token: card.value, card_token_data: { cvv: '123' } }),
        ...(!isSaved && savesCard.value && { tokenize_card: true }),
        ...(agreement.value !== '' && { recurring_data: { agreement_id: agreement.value } }),
        ...(reference.value !== '' && { custom_fields: { reference: reference.value } }),
        webhook_url: url || undefined,
      },
      key,
    )
    if (isPaid && !isSaved) await payIntent(intent.id, card.value, provider.value || undefined)
    route(itemPath('intents', intent.id))
  }

  return (
    <>
      <PageHead title="Test payment" above={<a href="/payments/intents/">Payments</a>} />
      <div class="page-body">
        <Form class="payment-form">
          <Panel title="Payment">
            <div class="form">
              <TextField label="Amount" name="amount" inputMode="decimal" {...bound(amount)} />
              <TextField
                label="Currency"
                name="amount_currency"
                suggestions={['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'SEK', 'JPY', 'KWD']}
                {...bound(currency)}
              />
              <div class="whole">
                <SelectField
                  label="Card"
                  options={[...cards.map(savedCard), ...TEST_CARDS]}
                  {...bound(card)}
                />
              </div>
              <SelectField
                label="Customer"
                options={[['', 'None'], [NEW, 'A new customer'], ...customers.map(customerOption)]}
                value={customerId.value}
                onChange={(id) => {
                  customerId.value = id
                  card.value = TEST_CARDS[0]![0]
                }}
              />
              <SelectField
                label="Mode"
                options={MODES.filter(([value]) => customer === undefined || value === isLive)}
                {...bound(mode)}
                value={isLive}
              />
              {customerId.value !== '' && !isSaved && (
                <div class="whole">
                  <CheckField
                    label="Save the card"
                    isChecked={savesCard.value}
                    onChange={bound(savesCard).onChange}
                  />
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
              <details class="more whole">
                <summary>Provider, agreement, account, reference</summary>
                <div class="form">
                  <TextField
                    label="Provider"
                    name="provider"
                    placeholder="Any"
                    suggestions={['north', 'south', 'east']}
                    {...bound(provider)}
                  />
                  <SelectField
                    label="Account"
                    options={accounts.map(({ id, name }) => [id, name])}
                    {...bound(accountId)}
                    value={account}
                  />
                  <TextField
                    label="Agreement id"
                    name="agreement_id"
                    hint="Lets the merchant charge the card of the customer again."
                    {...bound(agreement)}
                  />
                  <TextField label="Reference" placeholder="Order 1001" {...bound(reference)} />
                </div>
              </details>
              <div class="form-actions whole">
                <Button kind="primary" isSubmit onPress={() => make(true)}>
                  Pay
                </Button>
                <Button title="For the hosted form or the API" onPress={() => make(false)}>
                  Create it only
                </Button>
              </div>
            </div>
          </Panel>
        </Form>
      </div>
    </>
  )
}

async function makeCustomer(key: string): Promise<string> {
  const customer = { first_name: 'Jane', last_name: 'Doe' }
  return (await post<Customer>('/api/v1.4/customers/', customer, key)).id
}

function savedCard(card: CardItem): Option {
  return [card.id, `Saved: ${cardName(card)}`]
}

function customerOption({ id, customer_name: name, is_live: isLive }: CustomerItem): Option {
  return [id, `${name ?? 'Customer without a name'} - ${id.slice(0, 10)}${isLive ? ', live' : ''}`]
}
