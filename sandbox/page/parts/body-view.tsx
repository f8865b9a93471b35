import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Explanation } from '../api/types.js'
import { Button, CopyButton } from './button.js'
import { jsonProblem, printJson } from './json-text.js'

/** More would make the page slow; the button copies all of it. */
const SHOWN = 64 * 1024

interface BodyViewProps {
  readonly text: string
  readonly change?: Explanation['change'] | undefined
}

/** A body as it was sent, or formatted if it is JSON. What was changed after signing is marked in what was sent. */
export function BodyView({ text, change = null }: BodyViewProps) {
  const isJson = useMemo(() => jsonProblem(text) === undefined, [text])
  const chosen = useSignal<boolean | undefined>(undefined)
  const isFormatted = isJson && (chosen.value ?? change === null)
  return (
    <>
      <div class="view-tools">
        {isJson && (
          <Button
            isSmall
            isPressed={!isFormatted}
            onPress={() => {
              chosen.value = !isFormatted
            }}
          >
            Raw
          </Button>
        )}
        {text.length > SHOWN && <span class="soft">The beginning is shown.</span>}
        <CopyButton text={text} />
      </div>
      {isFormatted ? (
        <JsonText text={text} />
      ) : (
        <pre class="code" tabIndex={0} aria-label="Body as it was sent">
          <Marked text={text.slice(0, SHOWN)} change={change} />
        </pre>
      )}
    </>
  )
}

/** A JSON text on several lines, in colors. */
export function JsonText({ text }: Pick<BodyViewProps, 'text'>) {
  const formatted = useMemo(() => inColors(printJson(text).slice(0, SHOWN)), [text])
  return (
    <pre class="code" tabIndex={0} aria-label="JSON">
      {formatted}
    </pre>
  )
}

/** A text with the part marked that was changed after signing. */
function Marked({ text, change }: BodyViewProps) {
  if (change == null || change.at >= text.length) return <>{text === '' ? '(empty)' : text}</>
  const end = change.at + change.sent.length
  return (
    <>
      {text.slice(0, change.at)}
      <mark title={`Signed: ${change.signed}`}>{text.slice(change.at, end)}</mark>
      {text.slice(end)}
    </>
  )
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)/g

/** A text in the colors of JSON. */
function inColors(text: string): readonly ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const { 0: token, 1: quoted, 2: colon = '', 3: number, index } of text.matchAll(TOKEN)) {
    const kind =
      quoted !== undefined ? (colon === '' ? 'text' : 'key') : number !== undefined ? 'number' : 'word'
    parts.push(text.slice(end, index), <span class={`json-${kind}`}>{quoted ?? token}</span>, colon)
    end = index + token.length
  }
  return [...parts, text.slice(end)]
}
