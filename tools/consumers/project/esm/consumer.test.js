import { ok } from 'node:assert'
import { test } from 'node:test'
import { casesFor, moduleCases, publicEntries } from '../cases.cjs'

for (const { entry } of publicEntries()) {
  test(`${entry} is imported as an ES module without a default export`, async () => {
    const url = import.meta.resolve(entry)
    ok(url.includes('/node_modules/') && url.endsWith('.mjs'), url)
    const names = Object.keys(await import(entry))
    ok(names.length > 0 && !names.includes('default'), names.join())
  })
}

const load = (name) => import(name)
for (const [title, run] of [...casesFor(load), ...moduleCases(load)]) test(title, run)
