// How a merchant uses each package, whether it is imported or required.
const { deepStrictEqual, strictEqual } = require('node:assert')
const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { SECRET, sendAll } = require('./delivery.cjs')
const { hosts } = require('./hosts.cjs')

/** Every entry that an installed package exports, and whether it is a CommonJS module as well. */
function publicEntries() {
  const scope = join(__dirname, 'node_modules/@service-signature')
  return readdirSync(scope).flatMap((name) => {
    const { exports = {}, main } = JSON.parse(readFileSync(join(scope, name, 'package.json'), 'utf8'))
    const entries = Object.keys(exports).filter((entry) => !/\.(?:json|sql)$/.test(entry))
    return entries.map((entry) => ({
      entry: `@service-signature/${name}${entry.slice(1)}`,
      isDual: main !== undefined,
    }))
  })
}

/** A case for each host, by its title. `load` is `import` or `require`. */
function casesFor(load) {
  return Object.keys(hosts).map((name) => [
    `${name} accepts a genuine delivery and refuses forged ones`,
    async () => {
      const { url, handled, close } = await start(name, load)
      await sendAll(url)
      deepStrictEqual(handled, ['intent.processed'])
      close()
    },
  ])
}

/** Audits an endpoint. The package is only an ES module, which Jest cannot require. */
async function tryAudit(load) {
  const { audit, formatText } = await load('@service-signature/audit')
  const { url, handled, close } = await start('node', load)
  const report = await audit(url, { secret: SECRET, groups: ['unsigned', 'tampered'] })
  strictEqual(report.passed, report.total, formatText(report))
  deepStrictEqual(handled, ['transaction.purchase.successful'])
  close()
}

async function start(name, load) {
  const handled = []
  const server = await hosts[name](load, { secret: SECRET }, ({ event }) => {
    handled.push(event.receivedType ?? event.type)
  })
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${server.address().port}/webhooks`, handled, close }
}

module.exports = { casesFor, publicEntries, tryAudit }
