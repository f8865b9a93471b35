import { useLocation, useRoute } from 'preact-iso'
import { useResource } from '../api/resource.js'
import type { Attempt, Delivery, Explanation } from '../api/types.js'
import { useFilters } from '../parts/filters.js'
import { Badge, ModeBadge, StatusBadge, VERDICT_TONES } from '../parts/badge.js'
import { BodyView } from '../parts/body-view.js'
import { Button, CopyButton } from '../parts/button.js'
import { Problem } from '../parts/empty.js'
import { Icon } from '../parts/icons.js'
import { useKeys } from '../parts/keyboard.js'
import { PageHead } from '../parts/page-head.js'
import { Tabs } from '../parts/tabs.js'
import { FullTime } from '../parts/times.js'
import { toastError } from '../parts/toasts.js'
import { AnswerView } from './answer-view.js'
import { CompareView } from './compare-view.js'
import { Timeline } from './delivery-timeline.js'
import { ExplanationView } from './explanation-view.js'
import { ExportPanel, ForgeryButtons, resend } from './resend-panel.js'
import { SignatureView } from './signature-view.js'
import { StepsView } from './steps-view.js'
import './delivery.css'

const TABS = [
  { name: 'body', title: 'Body' },
  { name: 'signature', title: 'Signature' },
  { name: 'steps', title: 'Step by step' },
  { name: 'answer', title: 'Answer' },
  { name: 'explanation', title: 'Explanation' },
  { name: 'compare', title: 'Compare' },
] as const

/** One delivery. Its address has the attempt and the view, so that they can be shared, too. */
export function DeliveryPage() {
  const { id = '' } = useRoute().params
  const { data, problem, reload } = useResource<Delivery>(`/_sandbox/deliveries/${encodeURIComponent(id)}/`, {
    kinds: ['delivery'],
    id,
  })
  const delivery = data.value
  if (delivery !== undefined) return <Shown delivery={delivery} reload={reload} />
  return (
    <>
      <PageHead title="Delivery" above={<Back />} />
      {problem.value !== undefined && <Problem message={problem.value.message} onRetry={reload} />}
    </>
  )
}

function Back() {
  return <a href="/deliveries/">Deliveries</a>
}

interface ShownProps {
  readonly delivery: Delivery
  readonly reload: () => void
}

function Shown({ delivery, reload }: ShownProps) {
  const { route } = useLocation()
  const [filters, setFilter] = useFilters()
  const { attempts } = delivery
  const attempt = attempts.find(({ number }) => String(number) === filters['attempt']) ?? attempts.at(-1)

  function select(number: number): void {
    setFilter('attempt', number === attempts.length ? undefined : String(number))
  }
  /** Shows the attempt that was made last. */
  function showLast(): void {
    setFilter('attempt', undefined)
    reload()
  }
  const again = async () => {
    await resend(delivery)
    showLast()
  }
  const edit = () => {
    route(`/compose/?delivery=${delivery.id}`)
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
        above={<Path delivery={delivery} />}
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
        <div class="delivery-side">
          <Timeline delivery={delivery} current={attempt?.number} onSelect={select} />
          <ForgeryButtons delivery={delivery} onSent={showLast} />
          {attempt !== undefined && <ExportPanel delivery={delivery} attempt={attempt.number} />}
          <Facts delivery={delivery} />
        </div>
        <div class="delivery-main">
          {attempt === undefined ? (
            <NotSent delivery={delivery} />
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

function Path({ delivery: { intent, amount } }: { readonly delivery: Delivery }) {
  return (
    <>
      <Back />
      {intent !== null && (
        <>
          {' / '}
          <a href={`/intents/${intent}/`}>
            {amount} {intent}
          </a>
        </>
      )}
    </>
  )
}

function Facts({ delivery }: { readonly delivery: Delivery }) {
  const { id, url, account, created } = delivery
  return (
    <section class="side-panel" aria-labelledby="facts">
      <h2 id="facts">Delivery</h2>
      <dl class="facts">
        <dt>Id</dt>
        <dd>
          <code>{id}</code> <CopyButton text={id} label="Copy the id" isIcon />
        </dd>
        <dt>To</dt>
        <dd>
          <a href={`/deliveries/?endpoint=${encodeURIComponent(url)}`}>{url}</a>
        </dd>
        <dt>Account</dt>
        <dd>
          <code>{account}</code>
        </dd>
        <dt>Created</dt>
        <dd>
          <FullTime at={created} />
        </dd>
      </dl>
    </section>
  )
}

function NotSent({ delivery }: { readonly delivery: Delivery }) {
  return (
    <>
      <p class="verdict" data-tone="plain">
        <Icon name="clock" />
        <strong>Not sent yet.</strong>
      </p>
      <section class="panel" aria-label="Body">
        <BodyView text={delivery.body} />
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
  const { data } = useResource<Explanation>(path, { kinds: ['organization', 'key'] })
  const found = data.value
  const tone = VERDICT_TONES[attempt.verdict]
  return (
    <>
      <div class="verdict" data-tone={tone} role="status">
        <Icon name={tone === 'good' ? 'check' : 'warning'} />
        <div>
          <strong>{attempt.verdict_text}</strong>
          <p>{found === undefined ? '\u00a0' : secondSentence(attempt, found)}</p>
        </div>
      </div>
      <section class="panel" aria-label={`Attempt ${attempt.number}`}>
        <Tabs label={`Attempt ${attempt.number}`} tabs={TABS} current={view} onSelect={onView}>
          {view === 'signature' && <SignatureView attempt={attempt} />}
          {view === 'steps' && <StepsView delivery={delivery} attempt={attempt} />}
          {view === 'answer' && <AnswerView attempt={attempt} />}
          {view === 'explanation' && <ExplanationView explanation={found} />}
          {view === 'compare' && (
            <CompareView delivery={delivery} attempt={attempt} key={`${delivery.id} ${attempt.number}`} />
          )}
          {view === 'body' && <SentBody attempt={attempt} explanation={found} />}
        </Tabs>
      </section>
    </>
  )
}

/** What a verifier does with the request; of a forgery the reason is known. */
function secondSentence({ faults }: Attempt, { report }: Explanation): string {
  if (faults.length === 0) return report.finding
  if (report.ok) return 'A verifier accepts it, too.'
  return `A verifier refuses it${report.code === undefined ? '' : ` with the code ${report.code}`}.`
}

interface SentBodyProps {
  readonly attempt: Attempt
  readonly explanation: Explanation | undefined
}

function SentBody({ attempt, explanation }: SentBodyProps) {
  const change = explanation?.attempt === attempt.number ? explanation.change : null
  return (
    <>
      {change !== null && (
        <p class="change-note">
          Changed after signing: at character {change.at}, "{change.signed}" became "{change.sent}". The raw
          view marks it.
        </p>
      )}
      <BodyView text={attempt.body} change={change} />
    </>
  )
}
