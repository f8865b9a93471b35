import type { HeaderPart, HeaderParts } from '../header-parts.js'
import { make } from './dom.js'

const STATUS: Readonly<Record<HeaderPart['status'], string>> = {
  good: 'read',
  ignored: 'ignored',
  wrong: 'wrong',
}
const TONES = { good: 'good', ignored: 'plain', wrong: 'bad' } as const

/** The header, taken apart. */
export function headerView({ parts, problem }: HeaderParts): HTMLElement {
  return make(
    'section',
    { 'aria-label': 'Header' },
    make('h2', {}, 'The header, taken apart'),
    ...(problem === undefined ? [] : [make('p', { class: 'bad' }, problem)]),
    make('ul', { class: 'parts' }, ...parts.map(partView)),
  )
}

function partView({ name, value, status, note }: HeaderPart): HTMLElement {
  return make(
    'li',
    {},
    make('strong', { class: 'mono' }, name === '' ? '(empty)' : name),
    make('span', { class: `badge ${TONES[status]}` }, STATUS[status]),
    make('code', { class: 'value' }, value),
    make('span', { class: 'note' }, note),
  )
}
