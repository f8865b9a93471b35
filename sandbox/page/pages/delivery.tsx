import { useLocation, useRoute } from 'preact-iso'
import { post } from '../api/client.js'
import { useResource } from '../api/resource.js'
import type { Attempt, Delivery, Explanation, Fault } from '../api/types.js'
import { Badge, ModeBadge, StatusBadge, VERDICT_TONES } from '../parts/badge.js'
import { BodyView } from '../parts/body-view.js'
import { Button } from '../parts/button.js'
import { CauseView } from '../parts/cause.js'
import { ItemProblem } from '../parts/empty.js'
import { useFilters } from '../parts/filters.js'
import { Icon } from '../parts/icons.js'
import { useKeys } from '../parts/keyboard.js'
import { itemPath } from '../parts/links.js'
import { PageHead } from '../parts/page-head.js'
import { Tabs } from '../parts/tabs.js'
import { toastError } from '../parts/toasts.js'
import { AnswerView, RequestView, type AttemptProps } from './attempt-views.js'
import { DeliverySide } from './delivery-side.js'
import './delivery.css'

/** One delivery. Its address has the attempt and the view, so that they can be shared, too. */
export function DeliveryPage() {
  const id = encodeURIComponent(useRoute().params['id']!)
  const path = `/_sandbox/deliveries/${id}/`
  const { data, problem, reload } = useResource<Delivery>(path, { kinds: ['delivery'], id })
  const { route } = useLocation()
  const [filters, setFilter] = useFilters()
  const delivery = data.value
  const { attempts = [], last = null } = delivery ?? {}
  const chosen = filters['attempt'] === undefined ? last?.number : Number(filters['attempt'])

  function select(number: number): void {
    setFilter('attempt', number === last?.number ? undefined : String(number))
  }
  /** Sends it once more, and shows what the endpoint did with that. */
  async function resend(fault?: Fault): Promise<void> {
    const body = fault === undefined ? {} : { [fault.replace('-', '_')]: true }
    await post(`${path}resend/`, body)
    setFilter('attempt', undefined)
    reload()
  }
  const go = (address: string) => () => {
    route(address)
  }
  const edit = go(`/compose/?delivery=${id}`)
  const step = (by: number) => () => {
    const next = (chosen ?? 0) + by
    if (next >= 1 && next <= attempts.length) select(next)
  }
  useKeys([
    { keys: 'r', does: 'Send it again', run: () => void resend().catch(toastError) },
    { keys: 'e', does: 'Edit and send', run: edit },
    { keys: 'j', does: 'Next attempt', run: step(1) },
    { keys: 'k', does: 'Previous attempt', run: step(-1) },
    { keys: 'Escape', does: 'Back to the deliveries', run: go('/deliveries/') },
  ])

  const list = <a href="/deliveries/">Deliveries</a>
  if (delivery === undefined) {
    return (
      <>
        <PageHead title="Delivery" above={list} />
        {problem.value !== undefined && (
          <ItemProblem error={problem.value} onRetry={reload} noun="Delivery" list="/deliveries/" />
        )}
      </>
    )
  }
  const { intent } = delivery
  const attempt = attempts.find(({ number }) => number === chosen)
  return (
    <>
      <PageHead
        title={delivery.type}
        above={
          <>
            {list}
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
            {delivery.source === 'composed' && <Badge tone="plain">composed</Badge>}
          </>
        }
        actions={
          <>
            <Button icon="edit" onPress={edit}>
              Edit and send
            </Button>
            <Button kind="primary" icon="again" onPress={() => resend()}>
              Resend
            </Button>
          </>
        }
      />
      <div class="page-body delivery">
        <DeliverySide delivery={delivery} attempt={attempt} onSelect={select} onForge={resend} />
        <div class="delivery-main">
          {attempt === undefined ? (
            <section class="panel" aria-label="Not sent yet">
              <p class="view-text">Not sent yet.</p>
              <BodyView text={delivery.body} />
            </section>
          ) : (
            <AttemptView delivery={id} attempt={attempt} />
          )}
        </div>
      </div>
    </>
  )
}

const VIEWS = [
  { name: 'body', title: 'Body' },
  { name: 'request', title: 'Request' },
  { name: 'answer', title: 'Answer' },
] as const

/** What the endpoint did with an attempt and why, and below it everything that was sent and answered. */
function AttemptView({ delivery, attempt }: { readonly delivery: string; readonly attempt: Attempt }) {
  const [{ view = 'body' }, setFilter] = useFilters()
  const path = `/_sandbox/deliveries/${delivery}/explain/?attempt=${attempt.number}`
  const explanation = useResource<Explanation>(path, { kinds: ['organization', 'key'] }).data.value
  const label = `Attempt ${attempt.number}`
  return (
    <>
      <Verdict attempt={attempt} explanation={explanation} />
      <section class="panel" aria-label={label}>
        <Tabs
          label={label}
          tabs={VIEWS}
          current={view}
          onSelect={(name) => {
            setFilter('view', name === 'body' ? undefined : name)
          }}
        >
          {view === 'body' && <BodyView text={attempt.body} change={explanation?.change} />}
          {view === 'request' && <RequestView attempt={attempt} explanation={explanation} />}
          {view === 'answer' && <AnswerView attempt={attempt} />}
        </Tabs>
      </section>
    </>
  )
}

/** The verdict, the cause, the beginning of the answer, and what differs from a valid delivery. */
function Verdict({ attempt, explanation }: AttemptProps) {
  const { cause, answer } = attempt
  const tone = VERDICT_TONES[attempt.verdict]
  const differences = explanation?.on_purpose ?? []
  const finding = cause === null && differences.length === 0 && (explanation?.report.finding ?? '\u00a0')
  return (
    <div class="verdict" data-tone={tone} role="status">
      <Icon name={tone === 'good' ? 'check' : 'warning'} />
      <div>
        <strong>{attempt.verdict_text}</strong>
        {cause !== null && <CauseView cause={cause} />}
        {answer !== null && answer.body !== '' && (
          <p class="cut">
            Answer: <code>{answer.body.slice(0, 200)}</code>
          </p>
        )}
        {[...differences, finding].filter(Boolean).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </div>
  )
}
