import { useSignal } from '@preact/signals'
import type { IntentDetails } from '../api/types.js'
import { useResource } from '../api/resource.js'
import { amountText } from '../format.js'
import { useFilters } from '../parts/filters.js'
import { StatusBadge } from '../parts/badge.js'
import { Empty, Problem } from '../parts/empty.js'
import { History, Panel } from '../parts/panel.js'
import { ItemLink } from '../parts/links.js'
import { PageHead } from '../parts/page-head.js'
import { PlainTable } from '../parts/plain-table.js'
import { CustomerSteps } from './intents.js'
import { PaymentForm } from './payment-form.js'
import { DELIVERY_COLUMNS } from './delivery-columns.js'
import './payments.css'

/** Makes and pays a payment in one step, and shows what comes of it. */
export function PaymentsPage() {
  const [filters] = useFilters()
  const intentId = useSignal<string | undefined>(undefined)
  return (
    <>
      <PageHead title="Test payment" />
      <div class="page-body payments">
        <PaymentForm
          key={`${filters['customer']} ${filters['card']}`}
          customer={filters['customer']}
          card={filters['card']}
          onMade={(id) => {
            intentId.value = id
          }}
        />
        <div class="stack" aria-live="polite">
          {intentId.value === undefined ? (
            <Panel title="What happens">
              <Empty title="The payment, its charge at the provider and each event that is sent appear here." />
            </Panel>
          ) : (
            <Outcome key={intentId.value} id={intentId.value} />
          )}
        </div>
      </div>
    </>
  )
}

function Outcome({ id }: { readonly id: string }) {
  const path = `/_sandbox/intents/${encodeURIComponent(id)}/`
  const { data, problem, reload } = useResource<IntentDetails>(path, { kinds: ['intent', 'delivery'] })
  const intent = data.value
  if (intent === undefined) {
    return problem.value === undefined ? null : <Problem message={problem.value.message} onRetry={reload} />
  }
  return (
    <>
      <Panel
        title={amountText(intent.amount, intent.amount_currency)}
        tools={
          <>
            <StatusBadge status={intent.status} />
            <ItemLink section="intents" id={id}>
              Open the intent
            </ItemLink>
          </>
        }
      >
        {intent.failure !== null && <p class="problem">{intent.failure}.</p>}
        {intent.status === 'CREATED' && intent.embed_url !== null && (
          <p>
            The customer pays at the{' '}
            <a href={intent.embed_url} target="_blank">
              hosted form
            </a>
            .
          </p>
        )}
        <History entries={intent.history} />
      </Panel>
      <CustomerSteps intent={intent} onDone={reload} />
      <Panel title="Deliveries" isFlush>
        <PlainTable
          label="Deliveries"
          columns={DELIVERY_COLUMNS}
          items={intent.deliveries}
          empty={
            intent.webhook_url === null
              ? 'Without a webhook URL and without a default endpoint, no event is sent.'
              : 'No event was sent yet.'
          }
        />
      </Panel>
    </>
  )
}
