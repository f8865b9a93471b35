import { round } from './bounds.js'

const EVENTS = ['transaction, 1.5 KB', 'transaction, 8 KB', 'transaction, 64 KB']
/** How the chart names who verifies and parses. */
const BARS = {
  'ours, full': 'Service Signature',
  'recipe and parse': 'recipe of S6.3',
  stripe: 'stripe',
  svix: 'svix',
  standardwebhooks: 'standardwebhooks',
}

const WIDTH = 760
const LEFT = 150
const LONGEST = 500
const STEP = 24
const PANEL = Object.keys(BARS).length * STEP + 44

const STYLE = `
    text { font: 13px system-ui, sans-serif; fill: #24292f }
    .title { font-weight: 600 }
    .note { fill: #57606a }
    .bar { fill: #8c959f }
    .ours { fill: #0969da }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .note { fill: #9198a1 }
      .bar { fill: #6e7681 }
      .ours { fill: #4493f8 }
    }`

/**
 * How long it takes to verify and parse an event, ours and everybody else's: a panel for each size, each to its own
 * scale.
 *
 * @param {{ node: string, cpu: string, date: string }} about
 * @param {Record<string, string | number>[]} rows
 */
export function drawVerify({ node, cpu, date }, rows) {
  const panels = rows.filter(({ event }) => EVENTS.includes(event))
  const height = 40 + panels.length * PANEL + 16
  const note = `Node ${node}, ${cpu}, ${date}`
  const words = panels.map((row) => `${row.event}: ${barsOf(row).map(wordsOf).join(', ')}`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title desc">`,
    `  <title id="title">Time to verify and parse one event; shorter is better</title>`,
    `  <desc id="desc">${escape(`${words.join('. ')}. ${note}.`)}</desc>`,
    `  <style>${STYLE}\n  </style>`,
    text(0, 20, 'Time to verify and parse one event; shorter is better', 'title'),
    ...panels.flatMap((row, index) => drawPanel(row, 40 + index * PANEL)),
    text(0, height - 8, note, 'note'),
    '</svg>',
  ].join('\n')
}

function drawPanel(row, top) {
  const bars = barsOf(row)
  const longest = Math.max(...bars.map(({ us }) => us))
  return [
    text(0, top + 18, row.event, 'title'),
    ...bars.flatMap(({ name, us }, index) => {
      const y = top + 28 + index * STEP
      const width = Math.max(1, Math.round((us / longest) * LONGEST))
      return [
        text(LEFT - 10, y + 14, name, undefined, 'end'),
        `  <rect class="${index === 0 ? 'ours' : 'bar'}" x="${LEFT}" y="${y}" width="${width}" height="18" rx="2" />`,
        text(LEFT + width + 8, y + 14, `${us} \u00b5s`),
      ]
    }),
  ]
}

function barsOf(row) {
  return Object.entries(BARS).map(([column, name]) => ({ name, us: round(row[column]) }))
}

function wordsOf({ name, us }) {
  return `${name} ${us} microseconds`
}

function text(x, y, content, style, anchor) {
  const attributes = [
    `x="${x}" y="${y}"`,
    ...(style === undefined ? [] : [`class="${style}"`]),
    ...(anchor === undefined ? [] : [`text-anchor="${anchor}"`]),
  ]
  return `  <text ${attributes.join(' ')}>${escape(content)}</text>`
}

/** @param {string} content */
function escape(content) {
  return content.replace(/[&<]|[^\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0)};`)
}
