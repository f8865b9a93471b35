import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { sizeText } from '../format.js'
import { readJson } from '../json/json-tree.js'
import { Button, CopyButton } from './button.js'
import { JsonView } from './json-view.js'

/** More would make the page slow; the button copies all of it. */
const SHOWN = 64 * 1024

const BYTES_PER_LINE = 16

const FORMS = ['Tree', 'Raw', 'Hex'] as const

export interface ChangedPart {
  /** In characters from the beginning. */
  readonly at: number
  readonly signed: string
  readonly sent: string
}

interface BodyViewProps {
  readonly text: string
  readonly change?: ChangedPart | null | undefined
}

/** A body as a tree, as its text, or byte by byte. */
export function BodyView({ text, change }: BodyViewProps) {
  const read = useMemo(() => readJson(text), [text])
  const signed = useMemo(
    () => (change == null ? undefined : readJson(signedText(text, change))),
    [text, change],
  )
  const chosen = useSignal<(typeof FORMS)[number] | undefined>(undefined)
  const form = chosen.value ?? ('tree' in read ? 'Tree' : 'Raw')
  const size = useMemo(() => new TextEncoder().encode(text).length, [text])
  return (
    <>
      <div class="view-tools">
        <div class="switch" role="group" aria-label="Show the body as">
          {FORMS.map((name) => (
            <Button
              key={name}
              isSmall
              isPressed={name === form}
              onPress={() => {
                chosen.value = name
              }}
            >
              {name}
            </Button>
          ))}
        </div>
        <span class="soft">
          {sizeText(size)}
          {size > SHOWN && `, of which ${sizeText(SHOWN)} are shown`}
        </span>
        <CopyButton text={text} />
      </div>
      {form === 'Tree' &&
        ('tree' in read ? (
          <JsonView tree={read.tree} signed={signed && 'tree' in signed ? signed.tree : undefined} />
        ) : (
          <p class="hint">This body is not JSON: {read.problem.message}.</p>
        ))}
      {form === 'Raw' && (
        <pre class="code" tabIndex={0} aria-label="Body as it was sent">
          <Marked text={text.slice(0, SHOWN)} change={change} />
        </pre>
      )}
      {form === 'Hex' && (
        <pre class="code hex" tabIndex={0} aria-label="Bytes of the body">
          {hexDump(new TextEncoder().encode(text).subarray(0, SHOWN / 4))}
        </pre>
      )}
    </>
  )
}

function signedText(text: string, { at, signed, sent }: ChangedPart): string {
  return text.slice(0, at) + signed + text.slice(at + sent.length)
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

/** Bytes as people read them: the position, the bytes, and the letters that they are in ASCII. */
function hexDump(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let start = 0; start < bytes.length; start += BYTES_PER_LINE) {
    const line = [...bytes.subarray(start, start + BYTES_PER_LINE)]
    const digits = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const letters = line
      .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'))
      .join('')
    const position = start.toString(16).padStart(6, '0')
    lines.push(`${position}  ${digits.padEnd(BYTES_PER_LINE * 3 - 1)}  ${letters}`)
  }
  return lines.join('\n')
}
