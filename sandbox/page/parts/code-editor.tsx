import { useSignal } from '@preact/signals'

interface CodeEditorProps {
  readonly label: string
  readonly text: string
  readonly onEdit: (text: string) => void
  /** A line to mark, counted from 1. */
  readonly markedLine?: number | undefined
  readonly describedBy?: string
}

/** A text with line numbers. Tab leads on, as in every field; two spaces are typed. */
export function CodeEditor({ label, text, onEdit, markedLine, describedBy }: CodeEditorProps) {
  const top = useSignal(0)
  return (
    <div class="editor">
      <div class="editor-lines" aria-hidden="true">
        <div style={{ transform: `translateY(${-top.value}px)` }}>
          {text.split('\n').map((_line, index) => (
            <div key={index} data-marked={index + 1 === markedLine}>
              {index + 1}
            </div>
          ))}
        </div>
      </div>
      <textarea
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={markedLine !== undefined}
        class="editor-text"
        value={text}
        wrap="off"
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => {
          onEdit(currentTarget.value)
        }}
        onScroll={({ currentTarget }) => {
          top.value = currentTarget.scrollTop
        }}
      />
    </div>
  )
}
