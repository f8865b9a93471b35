import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { messageOf, post } from '../api/client.js'
import type { Recognition } from '../api/types.js'
import type { JsonProblem } from '../json/json-tree.js'
import { Icon } from '../parts/icons.js'

const TYPING_MS = 200

interface ComposeCheckProps {
  readonly id: string
  readonly text: string
  /** Why the text is not JSON, if it is not. */
  readonly problem: JsonProblem | undefined
}

/** Whether the text is JSON, and whether the library recognizes the event. */
export function ComposeCheck({ id, text, problem }: ComposeCheckProps) {
  const recognition = useSignal<Recognition | string | undefined>(undefined)
  const isJson = problem === undefined
  useEffect(() => {
    if (!isJson) return
    let isCurrent = true
    const timer = setTimeout(() => {
      void check(text).then((found) => {
        if (isCurrent) recognition.value = found
      })
    }, TYPING_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text, isJson])

  if (!isJson) {
    const { message, line, column } = problem
    return (
      <Line id={id} tone="bad">
        Not JSON: {message} in line {line}, column {column}. It can be sent as it is.
      </Line>
    )
  }
  const found = recognition.value
  if (found === undefined) return <Line id={id} tone="plain" />
  if (typeof found === 'string') {
    return (
      <Line id={id} tone="bad">
        {found}
      </Line>
    )
  }
  const { shape, type, reason, issues } = found
  if (reason === null) {
    return (
      <Line id={id} tone="good">
        Recognized: {type}, as an event of the shape "{shape}".
      </Line>
    )
  }
  return (
    <Line id={id} tone="wait">
      Not recognized: {REASONS[reason] ?? reason}
      {issues.map(({ path, reason: issue }) => (
        <span class="issue" key={`${path} ${issue}`}>
          <code>{path === '' ? 'payload' : path}</code> {issue}
        </span>
      ))}
    </Line>
  )
}

/** A sentence, if the check itself fails. */
async function check(text: string): Promise<Recognition | string> {
  try {
    return await post<Recognition>('/_sandbox/compose/check/', { text })
  } catch (error) {
    return messageOf(error)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  'unknown-type': 'the type is unknown. A handler should answer 2xx and ignore it.',
  'invalid-payload': 'the payload is not what the type promises.',
}

interface LineProps {
  readonly id: string
  readonly tone: 'good' | 'bad' | 'wait' | 'plain'
  readonly children?: ComponentChildren
}

function Line({ id, tone, children }: LineProps) {
  return (
    <div class="compose-check" id={id} role="status" data-tone={tone}>
      {tone !== 'plain' && <Icon name={tone === 'good' ? 'check' : 'warning'} />}
      <p>{children ?? '\u00a0'}</p>
    </div>
  )
}
