import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { coalesced } from '../api/changes.js'
import { messageOf, post } from '../api/client.js'
import type { Recognition } from '../api/types.js'
import type { Tone } from '../parts/badge.js'
import { Icon } from '../parts/icons.js'
import { draft } from './compose-draft.js'

const REASONS: Readonly<Record<NonNullable<Recognition['reason']>, string>> = {
  'unknown-type': 'the type is unknown. A handler should answer 2xx and ignore it.',
  'invalid-payload': 'the payload is not what the type promises.',
}

interface Finding {
  readonly tone: Tone
  readonly sentence: string
  readonly issues?: Recognition['issues']
}

const NOTHING: Finding = { tone: 'plain', sentence: '\u00a0' }

interface ComposeCheckProps {
  readonly id: string
  /** Why the text is not JSON, if it is not. */
  readonly problem: string | undefined
}

/** Whether the text is JSON, and whether the library recognizes the event. */
export function ComposeCheck({ id, problem }: ComposeCheckProps) {
  const text = draft.text.value
  const found = useSignal(NOTHING)
  const check = useMemo(
    () =>
      coalesced(async () => {
        found.value = await findingOf(draft.text.value)
      }),
    [],
  )
  useEffect(check, [text])
  const notJson: Finding = { tone: 'bad', sentence: `Not JSON: ${problem}. It can be sent as it is.` }
  const { tone, sentence, issues = [] } = problem === undefined ? found.value : notJson
  return (
    <div class="compose-check" id={id} role="status" data-tone={tone}>
      {tone !== 'plain' && <Icon name={tone === 'good' ? 'check' : 'warning'} />}
      <p>
        {sentence}
        {issues.map(({ path, reason }) => (
          <span class="issue" key={`${path} ${reason}`}>
            <code>{path === '' ? 'payload' : path}</code> {reason}
          </span>
        ))}
      </p>
    </div>
  )
}

async function findingOf(text: string): Promise<Finding> {
  try {
    const found = await post<Recognition>('/_sandbox/compose/check/', { text })
    const { is_json: isJson, shape, type, reason, issues } = found
    if (!isJson) return NOTHING
    if (reason !== null) return { tone: 'wait', sentence: `Not recognized: ${REASONS[reason]}`, issues }
    return { tone: 'good', sentence: `Recognized: ${type}, as an event of the shape "${shape}".` }
  } catch (error) {
    return { tone: 'bad', sentence: messageOf(error) }
  }
}
