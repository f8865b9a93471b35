import { coalesced, get } from './api.js'
import { bytesView } from './bytes.js'
import { copyButton, el } from './dom.js'
import { headerTable } from './header.js'

/** One attempt: its header taken apart, its bytes, the answer, and why it verifies or does not. */
export function attemptView(deliveryId, attempt) {
  const { key, number, headers, body, answer, error, at } = attempt
  const header = headers['Service-Signature']
  const finding = el('p', { class: 'finding' })
  const report = el('pre', { tabindex: '0', 'aria-label': 'Explain report', class: 'report' })
  const bytes = bytesView(body)

  const explain = coalesced(async () => {
    const { data } = await get(`/_sandbox/deliveries/${deliveryId}/explain/?attempt=${number}`)
    // What was done on purpose is neither a success nor a fault; the endpoint's reaction is judged in the table.
    const isOnPurpose = data.on_purpose.length > 0
    finding.dataset.tone = isOnPurpose ? 'wait' : data.report.ok ? 'good' : 'bad'
    finding.textContent = isOnPurpose ? data.on_purpose.join(' ') : data.report.finding
    report.textContent = data.text
    if (data.change !== null) bytes.mark(data.change)
  })
  void explain()

  const element = el(
    'div',
    {},
    section(`Attempt ${number}`, [finding]),
    section('Service-Signature', [headerTable(header, at)], copyButton(header)),
    section('Bytes as sent', [bytes.element], copyButton(body)),
    section('Other headers', [headerList(headers)]),
    section('Answer', answer === null ? [el('p', {}, `None. ${error}.`)] : answerParts(answer)),
    section(
      'Explain report',
      [report],
      copyButton(() => report.textContent),
    ),
  )
  return { key, element, explain }
}

function section(title, content, ...buttons) {
  return el('section', {}, el('h3', {}, title, ...buttons.flatMap((button) => [' ', button])), ...content)
}

function headerList(headers) {
  const others = Object.entries(headers).filter(([name]) => name !== 'Service-Signature')
  return pre(others.map((pair) => pair.join(': ')).join('\n'), 'Headers')
}

function answerParts({ status, headers, body }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
  return [pre([`HTTP ${status}`, ...lines, '', body === '' ? '(no body)' : body].join('\n'), 'Answer')]
}

function pre(text, label) {
  return el('pre', { tabindex: '0', 'aria-label': label }, text)
}
