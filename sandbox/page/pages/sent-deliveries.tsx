import { useEffect, useRef } from 'preact/hooks'
import { useResource } from '../api/resource.js'
import type { Delivery, DeliverySummary } from '../api/types.js'
import { countText } from '../format.js'
import { OutcomeBadge, StatusBadge } from '../parts/badge.js'
import { CauseTitle } from '../parts/cause.js'
import { Panel } from '../parts/panel.js'

/** As many as are followed one by one. */
const FOLLOWED = 8

/** What was composed last, and what the endpoint answered. */
export function SentDeliveries({ deliveries }: { readonly deliveries: readonly DeliverySummary[] }) {
  const others = deliveries.length - FOLLOWED
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current!.scrollIntoView({ block: 'nearest' })
  }, [deliveries])
  return (
    <Panel title="Sent" tools={<a href="/deliveries/?source=composed">All that were composed</a>} isFlush>
      <ul class="sent" ref={list} aria-live="polite">
        {deliveries.slice(0, FOLLOWED).map((delivery) => (
          <SentDelivery key={delivery.id} sent={delivery} />
        ))}
      </ul>
      {others > 0 && <p class="panel-body soft">and {countText(others, 'other', 'others')}.</p>}
    </Panel>
  )
}

function SentDelivery({ sent }: { readonly sent: DeliverySummary }) {
  const { id } = sent
  const { data } = useResource<Delivery>(`/_sandbox/deliveries/${id}/`, { kinds: ['delivery'], id })
  const delivery = data.value ?? sent
  const attempt = data.value?.attempts.find(({ number }) => number === delivery.last?.number)
  return (
    <li>
      <a href={`/deliveries/${id}/`}>{delivery.type}</a>
      <code class="soft">{id}</code>
      <span class="sent-outcome">
        {attempt?.verdict_text ?? 'Not sent yet.'} <CauseTitle cause={delivery.cause} />
        {delivery.last !== null && <OutcomeBadge {...delivery.last} />}
        <StatusBadge status={delivery.status} />
      </span>
    </li>
  )
}
