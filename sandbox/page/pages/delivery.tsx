import { useLocation } from 'preact-iso'
import { post } from '../api/client.js'
import { useResource } from '../api/resource.js'
import type { Delivery } from '../api/types.js'
import { ModeBadge, StatusBadge } from '../parts/badge.js'
import { BodyView } from '../parts/body-view.js'
import { Button } from '../parts/button.js'
import { ItemProblem } from '../parts/empty.js'
import { listSearch, useFilters } from '../parts/filters.js'
import { useKeys } from '../parts/keyboard.js'
import { itemPath } from '../parts/links.js'
import { PageHead } from '../parts/page-head.js'
import { toastError } from '../parts/toasts.js'
import { AttemptView } from './attempt.js'
import { attemptsOf, copiesOf, DeliveryFacts, Tries } from './delivery-side.js'
import './delivery.css'

const NOTHING_CHOSEN = { attempt: undefined, check: undefined }

/** One delivery. Its address has the attempt or the copy, and the view, so that they can be shared, too. */
export function DeliveryView({ id }: { readonly id: string }) {
  const path = `/_sandbox/deliveries/${encodeURIComponent(id)}/`
  const { data, problem, reload } = useResource<Delivery>(path, { kinds: ['delivery'], id, isKept: true })
  const { route } = useLocation()
  const [{ attempt, check }, setFilters] = useFilters()
  const list = `/deliveries/${listSearch()}`

  /** Sends something, and shows what the endpoint did with it. */
  async function send(what: 'resend' | 'check'): Promise<void> {
    await post(path + what + '/')
    setFilters(NOTHING_CHOSEN)
    reload()
  }
  const resend = () => send('resend')
  const findCause = () => send('check')
  const go = (address: string) => () => route(address)
  const edit = go(`/compose/?delivery=${encodeURIComponent(id)}`)
  // From its row, past the rows below it.
  const enter = () => document.querySelector('h1')!.focus()
  useKeys([
    { keys: 'ArrowRight', does: 'From the list into the delivery', run: enter },
    { keys: 'r', does: 'Resend', run: () => void resend().catch(toastError) },
    { keys: 'f', does: 'Find the cause', run: () => void findCause().catch(toastError) },
    { keys: 'e', does: 'Edit and send', run: edit },
    { keys: 'Escape', does: 'Back to the list', run: go(list) },
  ])

  const delivery = data.value
  const above = <a href={list}>Deliveries</a>
  if (delivery === undefined || problem.value !== undefined) {
    return (
      <>
        <PageHead title="Delivery" above={above} />
        {problem.value !== undefined && (
          <ItemProblem error={problem.value} onRetry={reload} noun="Delivery" list={list} />
        )}
      </>
    )
  }
  const { intent, attempts, last } = delivery
  const shown =
    check !== undefined
      ? copiesOf(delivery).get(check)
      : attempt !== undefined
        ? attemptsOf(delivery)[Number(attempt) - 1]
        : attempts.find(({ number }) => number === last?.number)
  return (
    <>
      <PageHead
        title={delivery.type}
        above={
          <>
            {above}
            {intent !== null && ' / '}
            {intent !== null && (
              <a href={itemPath('intents', intent)}>
                {delivery.amount} {intent}
              </a>
            )}
          </>
        }
        badges={
          <>
            <StatusBadge status={delivery.status} />
            <ModeBadge isLive={delivery.is_live} />
            {delivery.source === 'composed' && <span class="soft">composed</span>}
          </>
        }
        actions={
          <>
            <Button icon="edit" onPress={edit}>
              Edit
            </Button>
            <Button kind="primary" icon="again" title="Resend (r)" onPress={resend}>
              Resend
            </Button>
          </>
        }
      />
      <div class="page-body">
        <div class="delivery">
          {shown === undefined ? (
            <section class="panel delivery-main" aria-label="Not sent yet">
              <p class="view-text">
                {delivery.status === 'lost' ? 'Lost: a fault kept it from being sent.' : 'Not sent yet.'}
              </p>
              <BodyView text={delivery.body} />
            </section>
          ) : (
            <AttemptView key={`${delivery.id} ${shown.number}`} delivery={delivery.id} attempt={shown} />
          )}
          <Tries
            delivery={delivery}
            attempt={shown}
            onSelect={(chosen) => setFilters({ ...NOTHING_CHOSEN, ...chosen })}
            onCheck={findCause}
          />
          <DeliveryFacts delivery={delivery} attempt={shown} />
        </div>
      </div>
    </>
  )
}
