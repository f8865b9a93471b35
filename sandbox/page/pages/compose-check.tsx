import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { messageOf, post } from '../api/client.js'
import type { Recognition } from '../api/types.js'
import type { JsonProblem } from '../parts/json-text.js'
import { Icon } from '../parts/icons.js'

const TYPING_MS = 200

const REASONS: Readonly<Record<NonNullable<Recognition['reason']>, string>> = {
  'unknown-type': 'the type is unknown. A handler should answer 2xx and ignore it.',
  'invalid-payload': 'the payload is not what the type promises.',
}

type Finding = readonly [tone: 'good' | 'bad' | 'wait' | 'plain', sentence: ComponentChildren]

interface ComposeCheckProps {
  readonly id: string
  readonly text: string
  /** Why the text is not JSON, if it is not. */
  readonly problem: JsonProblem | undefined
}

/** Whether the text is JSON, and whether the library recognizes the event. */
export function ComposeCheck({ id, text, problem }: ComposeCheckProps) {
  const finding = useSignal<Finding>(['plain', '\u00a0'])
  const isJson = problem === undefined
  useEffect(() => {
    if (!isJson) return
    let isCurrent = true
    const timer = setTimeout(() => {
      void check(text).then((found) => {
        if (isCurrent) finding.value = found
      })
    }, TYPING_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text, isJson])
  const [tone, sentence] = isJson ? finding.value : notJson(problem)
  return (
    <div class="compose-check" id={id} role="status" data-tone={tone}>
      {tone !== 'plain' && <Icon name={tone === 'good' ? 'check' : 'warning'} />}
      <p>{sentence}</p>
    </div>
  )
}

function notJson({ message }: JsonProblem): Finding {
  return ['bad', `Not JSON: ${message}. It can be sent as it is.`]
}

async function check(text: string): Promise<Finding> {
  try {
    return findingOf(await post<Recognition>('/_sandbox/compose/check/', { text }))
  } catch (error) {
    return ['bad', messageOf(error)]
  }
}

function findingOf({ shape, type, reason, issues }: Recognition): Finding {
  if (reason === null) {
    const sentence = (
      <>
        Recognized: {type}, as an event of the shape "{shape}".
      </>
    )
    return ['good', sentence]
  }
  return [
    'wait',
    <>
      Not recognized: {REASONS[reason]}
      {issues.map(({ path, reason: issue }) => (
        <span class="issue" key={`${path} ${issue}`}>
          <code>{path === '' ? 'payload' : path}</code> {issue}
        </span>
      ))}
    </>,
  ]
}
