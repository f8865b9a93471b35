import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'

interface CodeEditorProps {
  readonly label: string
  readonly text: string
  readonly onEdit: (text: string) => void
  /** A line to mark, counted from 1. */
  readonly markedLine?: number | undefined
  readonly describedBy?: string
}

/** Longer texts have no colors, so that typing stays fast. */
const MAX_COLORED = 32 * 1024

/** A JSON text with line numbers. Tab leads on, as in every field; two spaces are typed. */
export function CodeEditor({ label, text, onEdit, markedLine, describedBy }: CodeEditorProps) {
  const top = useSignal(0)
  const left = useSignal(0)
  const isColored = text.length <= MAX_COLORED
  const colored = useMemo(() => (isColored ? inColors(text) : null), [text])
  const lines = text.split('\n').length
  return (
    <div class="editor">
      <div class="editor-lines" aria-hidden="true">
        <div style={{ transform: `translateY(${-top.value}px)` }}>
          {Array.from({ length: lines }, (_, index) => (
            <div key={index} data-marked={index + 1 === markedLine}>
              {index + 1}
            </div>
          ))}
        </div>
      </div>
      <pre class="editor-colors" aria-hidden="true">
        <div style={{ transform: `translate(${-left.value}px, ${-top.value}px)` }}>{colored}</div>
      </pre>
      <textarea
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={markedLine !== undefined}
        class={isColored ? 'editor-text colored' : 'editor-text'}
        value={text}
        wrap="off"
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => {
          onEdit(currentTarget.value)
        }}
        onScroll={({ currentTarget }) => {
          top.value = currentTarget.scrollTop
          left.value = currentTarget.scrollLeft
        }}
      />
    </div>
  )
}

const TOKEN = /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)/g

/** The classes of the tree, also for a text that is not JSON yet. */
function inColors(text: string): ComponentChildren {
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
