import { useLocation, useRoute } from 'preact-iso'
import { useResource } from '../api/resource.js'
import type { Attempt, Delivery, Explanation } from '../api/types.js'
import { useFilters } from '../parts/filters.js'
import { Badge, ModeBadge, StatusBadge, VERDICT_TONES } from '../parts/badge.js'
import { BodyView } from '../parts/body-view.js'
import { Button } from '../parts/button.js'
import { CauseView } from '../parts/cause.js'
import { ItemProblem } from '../parts/empty.js'
import { Icon } from '../parts/icons.js'
import { useKeys } from '../parts/keyboard.js'
import { itemPath } from '../parts/links.js'
import { PageHead } from '../parts/page-head.js'
import { Tabs } from '../parts/tabs.js'
import { toastError } from '../parts/toasts.js'
import { AnswerView, ExplanationView, SignatureView, StepsView } from './attempt-views.js'
import { DeliverySide, resend } from './delivery-side.js'
import './delivery.css'

interface ViewProps {
  readonly delivery: Delivery
  readonly attempt: Attempt
  /** Undefined until it is loaded. */
  readonly explanation: Explanation | undefined
}

const VIEWS = [
  { name: 'body', title: 'Body', View: SentBody },
  { name: 'signature', title: 'Signature', View: SignatureView },
  { name: 'steps', title: 'Step by step', View: StepsView },
  { name: 'answer', title: 'Answer', View: AnswerView },
  { name: 'explanation', title: 'Explanation', View: ExplanationView },
] as const

/** One delivery. Its address has the attempt and the view, so that they can be shared, too. */
export function DeliveryPage() {
  const { id = '' } = useRoute().params
  const { data, problem, reload } = useResource<Delivery>(`/_sandbox/deliveries/${encodeURIComponent(id)}/`, {
    kinds: ['delivery'],
    id,
  })
  const delivery = data.value
  if (delivery !== undefined) return <DeliveryView delivery={delivery} reload={reload} />
  return (
    <>
      <PageHead title="Delivery" above={<ListLink />} />
      {problem.value !== undefined && (
        <ItemProblem error={problem.value} onRetry={reload} noun="Delivery" list="/deliveries/" />
      )}
    </>
  )
}

function ListLink() {
  return <a href="/deliveries/">Deliveries</a>
}

interface DeliveryViewProps {
  readonly delivery: Delivery
  readonly reload: () => void
}

function DeliveryView({ delivery, reload }: DeliveryViewProps) {
  const { route } = useLocation()
  const [filters, setFilter] = useFilters()
  const { id, attempts, intent } = delivery
  const last = delivery.last?.number
  const chosen = filters['attempt'] === undefined ? last : Number(filters['attempt'])
  const attempt = attempts.find(({ number }) => number === chosen)

  function select(number: number): void {
    setFilter('attempt', number === last ? undefined : String(number))
  }
  function showLast(): void {
    setFilter('attempt', undefined)
    reload()
  }
  const again = async () => {
    await resend(delivery)
    showLast()
  }
  const edit = () => {
    route(`/compose/?delivery=${id}`)
  }
  const step = (by: number) => () => {
    const next = (attempt?.number ?? 0) + by
    if (next >= 1 && next <= attempts.length) select(next)
  }
  useKeys([
    {
      keys: 'r',
      does: 'Send it again',
      run: () => {
        again().catch(toastError)
      },
    },
    { keys: 'e', does: 'Edit and send', run: edit },
    { keys: 'j', does: 'Next attempt', run: step(1) },
    { keys: 'k', does: 'Previous attempt', run: step(-1) },
    {
      keys: 'Escape',
      does: 'Back to the deliveries',
      run: () => {
        route('/deliveries/')
      },
    },
  ])

  return (
    <>
      <PageHead
        title={delivery.type}
        above={
          <>
            <ListLink />
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
            <Button kind="primary" icon="again" onPress={again}>
              Resend
            </Button>
          </>
        }
      />
      <div class="page-body delivery">
        <DeliverySide delivery={delivery} attempt={attempt} onSelect={select} onSent={showLast} />
        <div class="delivery-main">
          {attempt === undefined ? (
            <NotSent body={delivery.body} />
          ) : (
            <AttemptView
              delivery={delivery}
              attempt={attempt}
              view={filters['view'] ?? 'body'}
              onView={(name) => {
                setFilter('view', name === 'body' ? undefined : name)
              }}
            />
          )}
        </div>
      </div>
    </>
  )
}

function NotSent({ body }: Pick<Delivery, 'body'>) {
  return (
    <>
      <p class="verdict" data-tone="plain">
        <Icon name="clock" />
        <strong>Not sent yet.</strong>
      </p>
      <section class="panel" aria-label="Body">
        <BodyView text={body} />
      </section>
    </>
  )
}

interface AttemptViewProps {
  readonly delivery: Delivery
  readonly attempt: Attempt
  readonly view: string
  readonly onView: (name: string) => void
}

/** The verdict on an attempt, and everything about it. */
function AttemptView({ delivery, attempt, view, onView }: AttemptViewProps) {
  const path = `/_sandbox/deliveries/${delivery.id}/explain/?attempt=${attempt.number}`
  const explanation = useResource<Explanation>(path, { kinds: ['organization', 'key'] }).data.value
  const View = VIEWS.find(({ name }) => name === view)?.View
  const tone = VERDICT_TONES[attempt.verdict]
  const label = `Attempt ${attempt.number}`
  return (
    <>
      <div class="verdict" data-tone={tone} role="status">
        <Icon name={tone === 'good' ? 'check' : 'warning'} />
        <div>
          <strong>{attempt.verdict_text}</strong>
          {attempt.cause === null ? (
            <p>{explanation === undefined ? '\u00a0' : secondSentence(attempt, explanation)}</p>
          ) : (
            <CauseView cause={attempt.cause} />
          )}
        </div>
      </div>
      <section class="panel" aria-label={label}>
        <Tabs label={label} tabs={VIEWS} current={view} onSelect={onView}>
          {View && <View delivery={delivery} attempt={attempt} explanation={explanation} />}
        </Tabs>
      </section>
    </>
  )
}

function SentBody({ attempt, explanation }: ViewProps) {
  const change = explanation?.attempt === attempt.number ? explanation.change : null
  return (
    <>
      {change !== null && (
        <p class="change-note">
          Changed after signing: at character {change.at}, "{change.signed}" became "{change.sent}".
        </p>
      )}
      <BodyView text={attempt.body} change={change} />
    </>
  )
}

/** What a verifier does with the request; of a forgery the reason is known. */
function secondSentence({ faults }: Attempt, { report }: Explanation): string {
  if (faults.length === 0) return report.finding
  if (report.ok) return 'A verifier accepts it, too.'
  return `A verifier refuses it${report.code === undefined ? '' : ` with the code ${report.code}`}.`
}
