import { counted } from '../words.js'
import { make, type Child } from './dom.js'

/** A stretch of text, and how it is marked. */
export interface Marked {
  readonly text: string
  readonly mark?: 'removed' | 'added' | 'differs'
}

/** More makes a page slow, and is never read. */
const MAX_CHARACTERS = 8000
const KEPT_AT_END = 500

/** Text of a delivery that scrolls in a box. The middle of a very long one is left out. */
export function textBox(label: string, stretches: readonly Marked[]): HTMLElement {
  return make(
    'pre',
    { class: 'box mono', tabindex: '0', role: 'region', 'aria-label': label },
    ...cut(stretches).map(stretchOf),
  )
}

function stretchOf({ text, mark }: Marked): Child {
  if (mark === undefined) return text
  if (mark === 'removed') return make('del', {}, visible(text))
  return make('mark', { class: mark }, text)
}

/** White space that is removed, as characters that are seen. */
function visible(text: string): string {
  return text
    .replaceAll(' ', '\u00b7')
    .replaceAll('\t', '\u2192\t')
    .replaceAll('\r', '\u240d')
    .replaceAll('\n', '\u21b5\n')
}

function cut(stretches: readonly Marked[]): readonly Marked[] {
  const total = stretches.reduce((length, { text }) => length + text.length, 0)
  if (total <= MAX_CHARACTERS) return stretches
  const left = total - MAX_CHARACTERS
  const message = ` [${counted(left, 'character')} not shown] `
  return [
    ...part(stretches, 0, MAX_CHARACTERS - KEPT_AT_END),
    { text: message, mark: 'added' },
    ...part(stretches, total - KEPT_AT_END, total),
  ]
}

/** The stretches from one position to another. */
function part(stretches: readonly Marked[], from: number, to: number): readonly Marked[] {
  let at = 0
  return stretches.flatMap((stretch) => {
    const start = at
    at += stretch.text.length
    const text = stretch.text.slice(Math.max(0, from - start), Math.max(0, to - start))
    return text === '' ? [] : [{ ...stretch, text }]
  })
}
