import { get } from '../api/client.js'
import type { Attempt, Delivery } from '../api/types.js'
import { durationText } from '../format.js'
import { Badge, VERDICTS } from '../parts/badge.js'
import { Button, CopiedId, CopyButton } from '../parts/button.js'
import { Facts, Panel } from '../parts/panel.js'
import { Ago, Countdown } from '../parts/times.js'

type Forgery = Attempt['faults'][number]

const FORGERY_WORDS: Readonly<Record<Forgery, string>> = {
  tamper: 'Tampered',
  stale: 'Stale',
  'wrong-secret': 'Wrong secret',
  'no-signature': 'No signature',
  reprinted: 'Re-serialized',
}

/** What is sent to find a cause is not an attempt, and is not counted with them. */
export function attemptsOf({ attempts }: Delivery): readonly Attempt[] {
  return attempts.filter(({ is_check: isCheck }) => !isCheck)
}

/** The newest diagnostic copy of each kind. */
export function copiesOf({ attempts }: Delivery): ReadonlyMap<string, Attempt> {
  return new Map(
    attempts.filter(({ is_check: isCheck }) => isCheck).map((copy) => [copy.faults.join(), copy]),
  )
}

interface TriesProps {
  readonly delivery: Delivery
  /** The one that is shown, if one was made. */
  readonly attempt: Attempt | undefined
  readonly onSelect: (chosen: { readonly attempt?: string; readonly check?: string }) => void
  readonly onCheck: () => Promise<void>
}

/** The attempts that were made and those that are planned, and below them the diagnostic copies. */
export function Tries({ delivery, attempt: current, onSelect, onCheck }: TriesProps) {
  const attempts = attemptsOf(delivery)
  const planned = delivery.schedule.filter(({ state }) => state === 'planned')
  return (
    <div class="delivery-tries">
      <ol class="timeline points" aria-label="Attempts">
        {attempts.map((attempt, index) => (
          <li key={attempt.number} data-tone={VERDICTS[attempt.verdict].tone}>
            <Made
              attempt={attempt}
              name={`Attempt ${index + 1}`}
              isShown={attempt === current}
              onSelect={() => onSelect({ attempt: String(index + 1) })}
            />
          </li>
        ))}
        {planned.map(({ number, at }, index) => (
          <li key={number} data-state="planned">
            <div class="timeline-entry">
              <span>Attempt {attempts.length + index + 1}</span>
              <span class="soft">
                {index > 0 && 'if that fails, '}
                <Countdown to={at} />
              </span>
            </div>
          </li>
        ))}
      </ol>
      <Panel title="Diagnostic copies">
        <p class="hint">Forged on purpose: your endpoint must refuse each.</p>
        <ul class="copies" aria-label="Diagnostic copies">
          {[...copiesOf(delivery)].map(([kind, copy]) => (
            <li key={kind}>
              <Made
                attempt={copy}
                name={nameOf(copy)}
                isShown={copy === current}
                onSelect={() => onSelect({ check: kind })}
              />
            </li>
          ))}
        </ul>
        <Button isSmall needsServer title="Find the cause (f)" onPress={onCheck}>
          Find the cause
        </Button>
      </Panel>
    </div>
  )
}

function nameOf({ faults }: Attempt): string {
  return faults.map((fault) => FORGERY_WORDS[fault]).join(', ')
}

interface MadeProps {
  readonly attempt: Attempt
  readonly name: string
  readonly isShown: boolean
  readonly onSelect: () => void
}

/** A request that was sent: its name, how the endpoint answered, and when. */
function Made({ attempt, name, isShown, onSelect }: MadeProps) {
  const { answer, verdict, is_check: isCheck, at, duration_ms: duration } = attempt
  const forgery = isCheck ? '' : nameOf(attempt)
  return (
    <button type="button" class="timeline-entry" aria-pressed={isShown} onClick={onSelect}>
      <span>
        {name} {forgery !== '' && <span class="soft">{forgery.toLowerCase()}</span>}
      </span>
      <span>
        <Badge tone={VERDICTS[verdict].tone}>
          {answer?.status ?? 'no answer'}
          {verdict.endsWith('forgery') && (verdict === 'refused-forgery' ? ' refused' : ' accepted')}
        </Badge>
      </span>
      {!isCheck && (
        <span class="soft">
          <Ago at={at} />, {durationText(duration)}
        </span>
      )}
    </button>
  )
}

const EXPORTS = { curl: 'curl', fixture: 'Fixture', vector: 'Test vector', har: 'HAR' }

/** What the delivery is, and what it can be copied as. */
export function DeliveryFacts({ delivery, attempt }: Pick<TriesProps, 'delivery' | 'attempt'>) {
  const { id, url, account, created } = delivery
  const file = `/_sandbox/deliveries/${id}/export/?attempt=${attempt?.number}`
  return (
    <Panel title="Delivery">
      <Facts
        facts={[
          ['Id', <CopiedId id={id} />],
          ['To', <a href={`/deliveries/?endpoint=${encodeURIComponent(url)}`}>{url}</a>],
          ['Account', <code>{account}</code>],
          ['Created', <Ago at={created} isExact />],
          [
            'Copy as',
            attempt !== undefined && (
              <div class="copy-as">
                {Object.entries(EXPORTS).map(([format, label]) => (
                  <CopyButton key={format} label={label} text={() => exported(`${file}&format=${format}`)} />
                ))}
                <p class="hint">A test vector contains the signing secret of the sandbox.</p>
              </div>
            ),
          ],
        ]}
      />
    </Panel>
  )
}

/** A file, which is not in an envelope. An error is in one. */
async function exported(path: string): Promise<string> {
  const response = await fetch(path)
  return response.ok ? response.text() : get<string>(path)
}
