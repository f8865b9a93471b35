import { useSignal } from '@preact/signals'
import type { Account, CustomerWithCards } from '../api/entity-types.js'
import { makeIntent, payIntent, type PaymentRequest } from '../api/make-payment.js'
import { useResource } from '../api/resource.js'
import type { Overview } from '../api/types.js'
import { amountText, decimalsOf } from '../format.js'
import { Button } from '../parts/button.js'
import { CheckField, Choice, SelectField, TextField, type Option } from '../parts/fields.js'
import { cardName, customerName } from '../parts/links.js'
import { Panel } from '../parts/panel.js'
import { useWebhookUrl } from '../parts/test-payment.js'
import { TEST_CARDS } from '../test-cards.js'

const COMMON = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'SEK', 'JPY', 'KWD']
const CURRENCIES: readonly Option[] = [...new Set([...COMMON, ...Intl.supportedValuesOf('currency')])].map(
  (code) => [code, code],
)

const PROVIDERS: readonly Option[] = [
  ['', 'Any'],
  ['north', 'north'],
  ['south', 'south'],
  ['east', 'east'],
]

const NEW = 'new'

interface Entries {
  readonly amount: string
  readonly currency: string
  readonly account: string
  readonly isLive: boolean
  /** Empty, "new", or an id. */
  readonly customer: string
  readonly name: string
  /** A number, or the id of a saved card. */
  readonly card: string
  readonly savesCard: boolean
  readonly provider: string
  readonly agreement: string
  readonly isMerchantInitiated: boolean
  readonly reference: string
}

interface PaymentFormProps {
  /** What a link to the form has chosen. */
  readonly given: { readonly customer: string | undefined; readonly card: string | undefined }
  readonly onMade: (intentId: string) => void
}

/** Everything that a payment needs, filled in so that one press is enough. */
export function PaymentForm({ given, onMade }: PaymentFormProps) {
  const entries = useSignal<Entries>({
    amount: '10.50',
    currency: 'EUR',
    account: '',
    isLive: false,
    customer: given.customer ?? '',
    name: 'Jane Doe',
    card: given.card ?? TEST_CARDS[0]!.number,
    savesCard: false,
    provider: '',
    agreement: '',
    isMerchantInitiated: false,
    reference: '',
  })
  const { url, setUrl } = useWebhookUrl()
  const { data } = useResource<Overview & { readonly accounts: readonly Account[] }>('/_sandbox/overview/', {
    kinds: ['account'],
  })
  const customers = useCustomers()
  const form = entries.value
  const change = (changed: Partial<Entries>) => {
    entries.value = { ...entries.value, ...changed }
  }
  const customer = customers.find(({ id }) => id === form.customer)
  const isSaved = customer?.cards.some(({ id }) => id === form.card) === true
  const hasCustomer = form.customer !== ''
  const amount = readAmount(form.amount, form.currency)
  const accounts = data.value?.accounts ?? []

  function request(): PaymentRequest {
    if (typeof amount === 'string') throw new Error(amount)
    const { account, isLive, currency, agreement, provider, reference } = form
    return {
      amount,
      currency,
      // The customer belongs to one account and mode.
      account: account || accounts[0]!.id,
      isLive: customer?.is_live ?? isLive,
      webhookUrl: url || undefined,
      customer: customerOf(form),
      card: isSaved ? { token: form.card } : { number: form.card },
      savesCard: hasCustomer && !isSaved && form.savesCard,
      provider: provider || undefined,
      agreement: (hasCustomer && agreement.trim()) || undefined,
      isMerchantInitiated: form.isMerchantInitiated,
      reference: reference.trim() || undefined,
    }
  }
  async function pay(): Promise<void> {
    const asked = request()
    const intent = await makeIntent(asked)
    onMade(intent.id)
    await payIntent(intent, asked)
  }
  async function create(): Promise<void> {
    onMade((await makeIntent(request())).id)
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
              problem={typeof amount === 'string' ? amount : undefined}
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
            options={[
              ['', 'None'],
              [NEW, 'A new customer'],
              ...customers.map((one) => [one.id, nameOf(one)] as const),
            ]}
            onChange={(id) => {
              change({ customer: id, card: TEST_CARDS[0]!.number })
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
          {hasCustomer && !isSaved && (
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
            options={
              customer === undefined ? MODES : MODES.filter(([value]) => value === String(customer.is_live))
            }
            onChange={(value) => {
              change({ isLive: value === 'true' })
            }}
          />
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
                value={form.account || (accounts[0]?.id ?? '')}
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
          <div class="form-actions whole">
            <Button kind="primary" isSubmit isDisabled={typeof amount === 'string'} onPress={pay}>
              {typeof amount === 'string' ? 'Pay' : `Pay ${amountText(amount, form.currency)}`}
            </Button>
            {!isSaved && (
              <Button
                isDisabled={typeof amount === 'string'}
                title="For the hosted form or the API"
                onPress={create}
              >
                Create it only
              </Button>
            )}
          </div>
        </div>
      </Panel>
    </form>
  )
}

const MODES: readonly Option[] = [
  ['false', 'Test'],
  ['true', 'Live'],
]

/** The newest customers, to choose from. */
function useCustomers(): readonly CustomerWithCards[] {
  const { data } = useResource<readonly CustomerWithCards[]>('/_sandbox/newest/customers/?limit=50', {
    kinds: ['customer', 'card'],
  })
  return data.value ?? []
}

function nameOf(customer: CustomerWithCards): string {
  const { id, is_live: isLive } = customer
  return `${customerName(customer)} - ${id.slice(0, 10)}${isLive ? ', live' : ''}`
}

function customerOf({ customer, name }: Entries): PaymentRequest['customer'] {
  if (customer === '') return undefined
  return customer === NEW ? { name: name.trim() || 'Jane Doe' } : { id: customer }
}

function cardOptions(customer: CustomerWithCards | undefined): readonly Option[] {
  const saved = customer?.cards.map((card) => [card.id, `Saved: ${cardName(card)}`] as const) ?? []
  const typed = TEST_CARDS.map(
    ({ number, brand, outcome }) => [number, `${number} - ${outcome} (${brand})`] as const,
  )
  return [...saved, ...typed]
}

/** The amount, or what is wrong with it. */
function readAmount(text: string, currency: string): number | string {
  const decimals = decimalsOf(currency)
  const amount = Number(text.trim().replace(',', '.'))
  if (text.trim() === '' || Number.isNaN(amount)) return 'Enter an amount, such as 10.50.'
  if (amount <= 0) return 'The amount must be above 0.'
  if (Number(amount.toFixed(decimals)) === amount) return amount
  return decimals === 0 ? `${currency} has no decimals.` : `${currency} has ${decimals} decimals.`
}

/** The amount with the decimals of another currency. */
function withDecimals(text: string, currency: string): string {
  const amount = Number(text)
  return text.trim() === '' || Number.isNaN(amount) ? text : amount.toFixed(decimalsOf(currency))
}
