import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { alertsFile, monitored, QUERIES } from './support/monitoring.js'

/** The rule records it. */
const RECORDED = 'service_signature:deliveries:increase10m'

it('the dashboard and the alert rules use only metrics and labels that instrument exports', async () => {
  const { send, text } = await monitored()
  await send()
  const exported = await text()
  const metrics = new Set(exported.match(/^service_signature\w+/gm))
  const labels = new Set([...exported.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
  const rules = readFileSync(alertsFile, 'utf8')
  const queries = [
    ...QUERIES.map(({ query }) => query),
    ...rules.split(/\b(?:expr|annotations):/).filter((_, i) => i % 2),
  ]
  const used = queries.join('\n').replaceAll(RECORDED, '')
  expect(used.match(/service_signature\w+/g)!.filter((name) => !metrics.has(name))).toEqual([])
  const ofMatchers = [...used.matchAll(/[{,](\w+)(?:=|!)/g)].map(([, label]) => label)
  const ofGroups = [...used.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, list]) => list!.split(', '))
  expect(new Set([...ofMatchers, ...ofGroups])).toEqual(
    new Set([...labels].filter((label) => label !== undefined)),
  )
})
