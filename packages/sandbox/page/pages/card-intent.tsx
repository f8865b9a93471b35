import type { CardIntentDetails } from '../api/types.js'
import { ModeBadge, StatusBadge } from '../parts/badge.js'
import { Facts } from '../parts/facts.js'
import { History } from '../parts/history.js'
import { ItemPage } from '../parts/item-page.js'
import { CopiedId, ItemLink } from '../parts/links.js'
import { Panel } from '../parts/panel.js'
import { PlainTable } from '../parts/plain-table.js'
import { FullTime } from '../parts/times.js'
import { CustomerSteps } from './customer-steps.js'
import { EndpointLink } from './intents.js'
import { DELIVERY_COLUMNS } from './related-columns.js'

interface CardIntentPageProps {
  readonly section: string
  readonly sectionTitle: string
}

/** An intent to save a card without a payment. */
export function CardIntentPage({ section, sectionTitle }: CardIntentPageProps) {
  return (
    <ItemPage<CardIntentDetails>
      section={section}
      sectionTitle={sectionTitle}
      path={(id) => `/_sandbox/card-token-intents/${encodeURIComponent(id)}/`}
      kinds={['card-intent', 'delivery']}
      title={() => 'Card token intent'}
      badges={({ status, is_live }) => (
        <>
          <StatusBadge status={status} />
          <ModeBadge isLive={is_live} />
        </>
      )}
      actions={({ embed_url }) =>
        embed_url !== null && (
          <a class="button" href={embed_url} target="_blank">
            Open the hosted form
          </a>
        )
      }
      side={(intent) => (
        <Panel title="Card token intent">
          <Facts
            facts={[
              ['Id', <CopiedId id={intent.id} />],
              ['Failure', intent.failure],
              ['Customer', <ItemLink section="customers" id={intent.customer} />],
              ['Card', intent.card_token && <ItemLink section="cards" id={intent.card_token} />],
              ['Type', intent.card_token_type.toLowerCase()],
              ['Endpoint', intent.webhook_url && <EndpointLink url={intent.webhook_url} />],
              ['Account', <code>{intent.account}</code>],
              ['Created', <FullTime at={intent.created} />],
            ]}
          />
        </Panel>
      )}
      main={(intent, reload) => (
        <>
          <CustomerSteps intent={intent} onDone={reload} />
          <Panel title="What happened">
            <History entries={intent.history} />
          </Panel>
          <Panel title="Deliveries" isFlush>
            <PlainTable
              label="Deliveries"
              columns={DELIVERY_COLUMNS}
              items={intent.deliveries}
              keyOf={({ id }) => id}
              empty="No event was sent."
            />
          </Panel>
        </>
      )}
    />
  )
}
