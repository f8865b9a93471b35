// Bar charts as SVG, one for each question that the bench answers.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WIDTH = 720
const LABEL_WIDTH = 250
const BAR = { height: 20, gap: 8 }
const TOP = 52

/** The question, the table that answers it, and the bars of that table. */
const CHARTS = [
  {
    file: 'verify',
    title: 'Verify an event of 1.5 KB',
    unit: 'us',
    table: 'verify, microseconds',
    barsOf: (rows) =>
      entriesOf(
        rows.find(({ event }) => event === 'transaction, 1.5 KB'),
        'event',
      ),
  },
  {
    file: 'v2',
    title: 'Verify v2 over an event of 2 KB',
    unit: 'us',
    table: 'v2',
    barsOf: (rows) => {
      const row = rows.find(({ event }) => event === 'transaction, 2 KB')
      return [
        ['ours', row['ours us']],
        ['ours, forged', row['forged us']],
        ['recipe', row['recipe us']],
      ]
    },
  },
  {
    file: 'refuse',
    title: 'Refuse a request',
    unit: 'us',
    table: 'refuse',
    barsOf: (rows) => rows.map(({ request, us }) => [`ours, ${request}`, us]),
  },
  {
    file: 'http',
    title: 'CPU of the server for each delivery of 1.5 KB',
    unit: 'us',
    table: 'http, each endpoint',
    barsOf: (rows) => rows.map((row) => [row.endpoint, row['server CPU us per request']]),
  },
  {
    file: 'memory',
    title: 'Heap that a delivery of 1.5 KB allocates',
    unit: 'bytes',
    table: 'memory, allocated per delivery',
    barsOf: (rows) => rows.map((row) => [`ours, ${row.call}`, row['heap bytes']]),
  },
  {
    file: 'start',
    title: 'Import in a fresh process, over bare Node',
    unit: 'ms',
    table: 'start',
    barsOf: (rows) => rows.slice(1).map((row) => [row.package, row['import, ms over bare Node']]),
  },
  {
    file: 'size',
    title: 'Installed, with all dependencies',
    unit: 'KB',
    table: 'size',
    barsOf: (rows) => rows.map((row) => [row.package, row['installed with them KB']]),
  },
]

const isOurs = (label) => /\bours\b|@service-signature/.test(label)
const entriesOf = (row, name) => Object.entries(row).filter(([column]) => column !== name)
const valueOf = (cell) => (typeof cell === 'object' ? cell.value : cell)

/** Writes the charts whose tables were measured, and returns their names. */
export function writeCharts(folder, tables) {
  return CHARTS.flatMap(({ file, title, unit, table, barsOf }) => {
    const measured = tables.find((each) => each.title === table)
    if (measured === undefined) return []
    const bars = barsOf(measured.rows).map(([label, cell]) => ({ label, value: valueOf(cell) }))
    writeFileSync(join(folder, `${file}.svg`), toSvg(title, unit, bars))
    return [{ file: `${file}.svg`, title }]
  })
}

/** Horizontal bars; those of this project in another colour. It reads on a light and on a dark page. */
export function toSvg(title, unit, bars) {
  const height = TOP + bars.length * (BAR.height + BAR.gap)
  const most = Math.max(...bars.map(({ value }) => value))
  const perUnit = (WIDTH - LABEL_WIDTH - 90) / most
  const lines = bars.map(({ label, value }, index) => {
    const y = TOP + index * (BAR.height + BAR.gap)
    const width = Math.max(1, value * perUnit)
    const middle = y + BAR.height / 2
    return [
      `<text class="label" x="${LABEL_WIDTH - 10}" y="${middle}">${escape(label)}</text>`,
      `<rect class="${isOurs(label) ? 'ours' : 'other'}" x="${LABEL_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="${BAR.height}" rx="2"/>`,
      `<text x="${(LABEL_WIDTH + width + 8).toFixed(1)}" y="${middle}">${value}</text>`,
    ].join('\n')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">
<title>${escape(title)}, ${unit}: ${escape(bars.map(({ label, value }) => `${label} ${value}`).join('; '))}</title>
<style>
  text { font: 13px system-ui, sans-serif; fill: #24292f; dominant-baseline: central; }
  .label { text-anchor: end; }
  .title { font-weight: 600; font-size: 15px; }
  .ours { fill: #1a7f64; }
  .other { fill: #8c959f; }
  @media (prefers-color-scheme: dark) { text { fill: #d8dee4; } .ours { fill: #2da67f; } .other { fill: #6e7781; } }
</style>
<text class="title" x="0" y="18">${escape(title)} (${unit}; less is better)</text>
${lines.join('\n')}
</svg>
`
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
