import type { ComponentChildren } from 'preact'
import { get, post } from '../api/client.js'
import type { Attempt, Delivery, Fault } from '../api/types.js'
import { durationText } from '../format.js'
import { Badge, VERDICT_TONES, verdictWords } from '../parts/badge.js'
import { Button, CopyButton } from '../parts/button.js'
import { Facts } from '../parts/panel.js'
import { CopiedId } from '../parts/links.js'
import { Ago, Countdown, FullTime } from '../parts/times.js'

const FORGERIES: readonly { readonly fault: Fault; readonly title: string; readonly hint: string }[] = [
  { fault: 'tamper', title: 'Tampered', hint: 'The amount is changed after signing' },
  { fault: 'stale', title: 'Stale', hint: 'The timestamp is an hour old' },
  { fault: 'wrong-secret', title: 'Wrong secret', hint: 'Signed with another secret and another key' },
  { fault: 'no-signature', title: 'No signature', hint: 'Without the header Service-Signature' },
]

const EXPORT_FORMATS = [
  ['curl', 'curl'],
  ['fixture', 'Fixture'],
  ['vector', 'Test vector'],
  ['har', 'HAR'],
] as const

interface DeliverySideProps {
  readonly delivery: Delivery
  /** The attempt that is shown, if one was made. */
  readonly attempt: Attempt | undefined
  readonly onSelect: (number: number) => void
  /** Called after another attempt. */
  readonly onSent: () => void
}

/** The attempts, and what can be done with them. */
export function DeliverySide({ delivery, attempt, onSelect, onSent }: DeliverySideProps) {
  const { id, url, account, created } = delivery
  return (
    <div class="delivery-side">
      <Timeline delivery={delivery} current={attempt?.number} onSelect={onSelect} />
      <SidePanel id="forgeries" title="Send a forgery">
        <p class="soft">Your endpoint must refuse each of these.</p>
        <div class="forgeries">
          {FORGERIES.map(({ fault, title, hint }) => (
            <Button
              key={fault}
              isSmall
              title={hint}
              onPress={async () => {
                await resend(delivery, fault)
                onSent()
              }}
            >
              {title}
            </Button>
          ))}
        </div>
      </SidePanel>
      {attempt !== undefined && <ExportPanel delivery={id} attempt={attempt.number} />}
      <SidePanel id="facts" title="Delivery">
        <Facts
          facts={[
            ['Id', <CopiedId id={id} />],
            ['To', <a href={`/deliveries/?endpoint=${encodeURIComponent(url)}`}>{url}</a>],
            ['Account', <code>{account}</code>],
            ['Created', <FullTime at={created} />],
          ]}
        />
      </SidePanel>
    </div>
  )
}

interface ExportPanelProps {
  readonly delivery: string
  readonly attempt: number
}

/** Copies an attempt for a shell, for a test, or for another program. */
function ExportPanel({ delivery, attempt }: ExportPanelProps) {
  const address = `/_sandbox/deliveries/${delivery}/export/?attempt=${attempt}`
  return (
    <SidePanel id="exports" title="Copy as">
      <div class="forgeries">
        {EXPORT_FORMATS.map(([format, label]) => (
          <CopyButton key={format} label={label} text={() => exported(`${address}&format=${format}`)} />
        ))}
      </div>
      <p class="soft">A test vector contains the signing secret of the sandbox.</p>
    </SidePanel>
  )
}

interface SidePanelProps {
  readonly id: string
  readonly title: string
  readonly children: ComponentChildren
}

function SidePanel({ id, title, children }: SidePanelProps) {
  return (
    <section class="side-panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** Sends a delivery again, as a forgery or as it is, and waits for the answer of the endpoint. */
export async function resend(delivery: Delivery, fault?: Fault): Promise<void> {
  const body = fault === undefined ? {} : { [fault.replace('-', '_')]: true }
  await post(`/_sandbox/deliveries/${delivery.id}/resend/`, body)
}

/** A file, which is not in an envelope. An error is in one. */
async function exported(path: string): Promise<string> {
  const response = await fetch(path)
  return response.ok ? response.text() : get<string>(path)
}

const ENDINGS = {
  delivered: 'Delivered: it is not retried.',
  dead: 'Given up: every retry failed.',
  lost: 'Lost: a fault kept it from being sent.',
} as const

interface TimelineProps {
  readonly delivery: Delivery
  readonly current: number | undefined
  readonly onSelect: (number: number) => void
}

/** The attempts that were made, of which one is shown, and those that are planned. */
function Timeline({ delivery, current, onSelect }: TimelineProps) {
  const { attempts, schedule, status } = delivery
  const planned = schedule.filter(({ state }) => state === 'planned')
  return (
    <ol class="timeline points" aria-label="Attempts">
      {attempts.map((attempt) => (
        <li key={attempt.number} data-tone={VERDICT_TONES[attempt.verdict]}>
          <button
            type="button"
            class="timeline-entry"
            aria-pressed={attempt.number === current}
            onClick={() => {
              onSelect(attempt.number)
            }}
          >
            <MadeAttempt attempt={attempt} />
          </button>
        </li>
      ))}
      {planned.map(({ number, at }, index) => (
        <li key={number} data-state="planned">
          <div class="timeline-entry">
            <span class="timeline-line">
              <span>Attempt {number}</span>
              <span class="soft">{index === 0 ? 'planned' : 'if that fails'}</span>
            </span>
            <span class="soft">
              <Countdown to={at} />
            </span>
          </div>
        </li>
      ))}
      {status !== 'pending' && (
        <li data-state="end">
          <div class="timeline-entry soft">{ENDINGS[status]}</div>
        </li>
      )}
    </ol>
  )
}

function MadeAttempt({ attempt }: { readonly attempt: Attempt }) {
  const { number, at, faults, verdict, answer, duration_ms, is_check: isCheck } = attempt
  const titles = FORGERIES.filter(({ fault }) => faults.includes(fault)).map(({ title }) =>
    title.toLowerCase(),
  )
  const forged = faults.includes('reprinted') ? ['signed as printed again'] : titles
  return (
    <>
      <span class="timeline-line">
        <span class="timeline-number">Attempt {number}</span>
        <Badge tone={faults.length > 0 ? 'plain' : VERDICT_TONES[verdict]}>
          {answer?.status ?? 'no answer'}
        </Badge>
      </span>
      <span class="timeline-line soft">
        <Ago at={at} />
        <span>{durationText(duration_ms)}</span>
      </span>
      {forged.length > 0 && (
        <span class="timeline-faults" data-tone={VERDICT_TONES[verdict]}>
          {isCheck && 'check: '}
          {verdictWords(verdict)}: {forged.join(', ')}
        </span>
      )}
    </>
  )
}
