import { el } from './dom.js'

/** More would make the page slow; the button copies all of it. */
const SHOWN = 16 * 1024
const PER_LINE = 16

/** A body as it went over the wire: as text, or byte by byte. */
export function bytesView(text) {
  const bytes = new TextEncoder().encode(text)
  const output = el('pre', { tabindex: '0', 'aria-label': 'Bytes as sent', class: 'bytes' })
  const size = el('span', { class: 'hint' }, sizeOf(bytes))
  const buttons = ['Text', 'Hex'].map((name) =>
    el('button', { type: 'button', class: 'small', onclick: () => show(name) }, name),
  )
  let form = 'Text'
  let change

  function show(name) {
    form = name
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.textContent === name))
    output.dataset.form = name.toLowerCase()
    if (name === 'Text') output.replaceChildren(...marked(text.slice(0, SHOWN), change))
    else output.textContent = hex(bytes.subarray(0, SHOWN))
  }
  show(form)

  const switcher = el(
    'div',
    { class: 'switch', role: 'group', 'aria-label': 'Show the bytes as' },
    ...buttons,
    size,
  )
  return {
    element: el('div', {}, switcher, output),
    /** Shows what was changed after signing. */
    mark(found) {
      change = found
      show(form)
    },
  }
}

function sizeOf({ length }) {
  return length > SHOWN ? `${length} bytes, of which the first ${SHOWN} are shown` : `${length} bytes`
}

function marked(text, change) {
  if (change === undefined || change.at >= text.length) return [text]
  const end = change.at + change.sent.length
  const mark = el('mark', { title: `Signed: ${change.signed}` }, text.slice(change.at, end))
  return [text.slice(0, change.at), mark, text.slice(end)]
}

function hex(bytes) {
  const lines = []
  for (let start = 0; start < bytes.length; start += PER_LINE) {
    const line = [...bytes.subarray(start, start + PER_LINE)]
    const digits = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const letters = line
      .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'))
      .join('')
    lines.push(`${start.toString(16).padStart(6, '0')}  ${digits.padEnd(PER_LINE * 3 - 1)}  ${letters}`)
  }
  return lines.join('\n')
}
