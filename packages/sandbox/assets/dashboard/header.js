import { el, fullTime } from './dom.js'

const MEANINGS = {
  v1: 'Body without white space, with the account API key',
  v2: 'Canonical JSON, with the signing secret',
  v3: 'Base64 of the bytes, with the signing secret',
}

/** The value of `Service-Signature`, taken apart. */
export function headerTable(value, at) {
  const rows = value.split(',').map((element) => {
    const [name, text] = element.split('=')
    const meaning = name === 't' ? timeMeaning(Number(text), at) : MEANINGS[name]
    return el(
      'tr',
      {},
      el('th', { scope: 'row' }, name),
      el('td', {}, el('code', {}, text), el('span', { class: 'sub' }, meaning)),
    )
  })
  return el('table', { class: 'header' }, el('tbody', {}, ...rows))
}

function timeMeaning(seconds, at) {
  const age = Math.round(Date.parse(at) / 1000 - seconds)
  const distance = age < 2 ? 'as it was sent' : `${age} seconds before it was sent`
  return `${fullTime(seconds * 1000)}, ${distance}`
}
