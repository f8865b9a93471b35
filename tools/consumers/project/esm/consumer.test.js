import { ok } from 'node:assert'
import { test } from 'node:test'
import { casesFor, publicEntries, tryAudit } from '../cases.cjs'

const load = (name) => import(name)

for (const { entry } of publicEntries()) {
  test(`${entry} is imported as an ES module without a default export`, async () => {
    const url = import.meta.resolve(entry)
    ok(url.includes('/node_modules/') && url.endsWith('.mjs'), url)
    const names = Object.keys(await load(entry))
    ok(names.length > 0 && !names.includes('default'), names.join())
  })
}

for (const [title, run] of casesFor(load)) test(title, run)
test('audit finds nothing wrong with an endpoint of ours', () => tryAudit(load))
