// How a merchant uses each package, whether it is imported or required.
const { deepStrictEqual, strictEqual } = require('node:assert')
const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { BODY, SECRET, sendAll, signatureOf } = require('./delivery.cjs')
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

/** The cases by their titles. `load` is `import` or `require`. */
function casesFor(load) {
  return [
    ...Object.keys(hosts).map((name) => [
      `${name} accepts a genuine delivery and refuses forged ones`,
      () => tryHost(name, load),
    ]),
    ['redis does not let a delivery through without a connection', () => tryRedis(load)],
    ['postgres does not call the handler without a connection', () => tryPostgres(load)],
  ]
}

/** The cases of the packages that are only ES modules, which Jest cannot require. */
function moduleCases(load) {
  return [
    ['sandbox sends to an endpoint what node:crypto would have signed', () => trySandbox(load)],
    ['audit finds nothing wrong with an endpoint of ours', () => tryAudit(load)],
  ]
}

async function tryHost(name, load) {
  const handled = []
  const server = await hosts[name](load, SECRET, ({ event }) =>
    handled.push(event.receivedType ?? event.type),
  )
  try {
    await sendAll(urlOf(server))
    deepStrictEqual(handled, ['intent.processed'])
  } finally {
    close(server)
  }
}

async function tryRedis(load) {
  const { createVerifier } = await load('@service-signature/core')
  const { redisReplayStore } = await load('@service-signature/redis')
  const fail = () => Promise.reject(new Error('no connection'))
  const replay = redisReplayStore({ eval: fail, sendCommand: fail })
  const handled = []
  const answer = createVerifier({ secret: SECRET, replay })
    .receive(BODY, signatureOf(BODY), ({ event }) => handled.push(event.receivedType ?? event.type))
    .catch((error) => error.code)
  strictEqual(await answer, 'ERR_REPLAY_STORE_UNAVAILABLE')
  deepStrictEqual(handled, [])
}

async function tryPostgres(load) {
  const { verify } = await load('@service-signature/core')
  const { postgresInbox } = await load('@service-signature/postgres')
  const webhook = await verify(BODY, signatureOf(BODY), { secret: SECRET })
  const pool = { totalCount: 0, connect: () => Promise.reject(new Error('no connection')) }
  const handled = []
  const answer = postgresInbox(pool)
    .handle(webhook, () => handled.push(webhook))
    .catch((error) => error.code)
  strictEqual(await answer, 'ERR_REPLAY_STORE_UNAVAILABLE')
  deepStrictEqual(handled, [])
}

async function trySandbox(load) {
  const { startSandbox } = await load('@service-signature/sandbox')
  const sandbox = await startSandbox()
  const handled = []
  const server = await hosts.core(load, sandbox.secret, ({ event }) =>
    handled.push(event.receivedType ?? event.type),
  )
  try {
    const headers = { 'Content-Type': 'application/json', 'X-Api-Key': sandbox.apiKeys.account }
    const call = async (path, body) => {
      const response = await fetch(sandbox.url + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return (await response.json()).data
    }
    const intent = { amount: 10.5, amount_currency: 'EUR', webhook_url: urlOf(server) }
    const { id } = await call('/api/v1.4/payments/intent/', intent)
    await call(`/_sandbox/intents/${id}/pay/`, { card: '4242424242424242' })
    await sandbox.drained()
    deepStrictEqual(handled, ['transaction.purchase.successful', 'intent.processed'])
  } finally {
    await sandbox.close()
    close(server)
  }
}

async function tryAudit(load) {
  const { audit, formatText } = await load('@service-signature/audit')
  const handled = []
  const server = await hosts.node(load, SECRET, ({ event }) => handled.push(event.type))
  try {
    const report = await audit(urlOf(server), { secret: SECRET, groups: ['unsigned', 'tampered'] })
    strictEqual(report.passed, report.total, formatText(report))
    deepStrictEqual(handled, ['transaction.purchase.successful'])
  } finally {
    close(server)
  }
}

const urlOf = (server) => `http://127.0.0.1:${server.address().port}/webhooks`

function close(server) {
  server.closeAllConnections()
  server.close()
}

module.exports = { casesFor, moduleCases, publicEntries }
