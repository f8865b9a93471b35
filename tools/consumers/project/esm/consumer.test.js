import { ok } from 'node:assert'
import { test } from 'node:test'
import { publicEntries } from './shared/entries.cjs'

const own = new URL('node_modules/', import.meta.url).href
const entries = publicEntries(import.meta.dirname)

test('core is among them, with its subpaths', () => {
  for (const path of ['', '/explain', '/node', '/receiver', '/testing'])
    ok(entries.includes(`@service-signature/core${path}`), path)
})

for (const entry of entries) {
  test(`${entry} is imported as an ES module, by names alone`, async () => {
    const url = import.meta.resolve(entry)
    ok(url.startsWith(own) && url.includes('/dist/esm/'), url)
    const names = Object.keys(await import(entry))
    ok(names.length > 0 && !names.includes('default'), names.join())
  })
}
