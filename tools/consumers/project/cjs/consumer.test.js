const { deepStrictEqual, ok } = require('node:assert')
const { join } = require('node:path')
const { test } = require('node:test')
const { publicEntries } = require('./shared/entries.cjs')

const own = join(__dirname, 'node_modules')
const entries = publicEntries(__dirname)

test('core is among them, with its subpaths', () => {
  for (const path of ['', '/explain', '/node', '/receiver', '/testing'])
    ok(entries.includes(`@service-signature/core${path}`), path)
})

for (const entry of entries) {
  test(`${entry} is required as CommonJS, and has the names of the ES module`, async () => {
    const path = require.resolve(entry)
    ok(path.startsWith(own) && path.includes(join('dist', 'cjs')), path)
    deepStrictEqual(Object.keys(require(entry)).sort(), Object.keys(await import(entry)).sort())
  })
}
