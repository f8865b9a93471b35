// What a merchant does with each package, whether it is imported or required.
const { deepStrictEqual, strictEqual } = require('node:assert')
const { BODY, SECRET, send, signatureOf } = require('./deliveries.cjs')
const { hosts } = require('./hosts.cjs')

/** The cases for the packages that are installed, by their titles. `load` is `import` or `require`. */
function casesFor(entries, load) {
  const cases = [
    ...Object.keys(hosts).map((name) => [
      name,
      'takes what is genuine and refuses what is forged',
      () => tryHost(name, load),
    ]),
    ['redis', 'is told nothing by a client without a connection', () => tryRedis(load)],
    ['sandbox', 'sends to an endpoint what node:crypto would have signed', () => trySandbox(load)],
  ]
  return cases
    .filter(([name]) => entries.includes(`@service-signature/${name}`))
    .map(([name, title, run]) => [`${name} ${title}`, run])
}

async function tryHost(name, load) {
  const handled = []
  const server = await hosts[name](load, ({ event }) => handled.push(event.type))
  const url = urlOf(server)
  try {
    strictEqual(await send(url, BODY, signatureOf(BODY)), 204)
    strictEqual(await send(url, BODY.replace('10.0', '10'), signatureOf(BODY)), 401)
    strictEqual(await send(url, BODY, signatureOf(BODY, 'another_key')), 401)
    deepStrictEqual(handled, ['intent.processed'])
  } finally {
    await close(server)
  }
}

// The client is the merchant's own, of either package; here it is none of them, but looks like one.
async function tryRedis(load) {
  const { createVerifier } = await load('@service-signature/core')
  const { redisReplayStore } = await load('@service-signature/redis')
  const fail = () => Promise.reject(new Error('no connection'))
  const replay = redisReplayStore({ eval: fail, sendCommand: fail })
  const handled = []
  const answer = createVerifier({ secret: SECRET, replay })
    .receive(BODY, signatureOf(BODY), ({ event }) => handled.push(event.type))
    .catch((error) => error.code)
  strictEqual(await answer, 'ERR_REPLAY_STORE_UNAVAILABLE')
  deepStrictEqual(handled, [])
}

async function trySandbox(load) {
  const { startSandbox } = await load('@service-signature/sandbox')
  const sandbox = await startSandbox()
  const handled = []
  const server = await hosts.core(load, ({ event }) => handled.push(event.type), sandbox.secret)
  try {
    const call = async (path, body) => {
      const headers = { 'Content-Type': 'application/json', 'X-Api-Key': sandbox.apiKeys.account }
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
    await close(server)
  }
}

const urlOf = (server) => `http://127.0.0.1:${server.address().port}/webhooks`

function close(server) {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
}

module.exports = { casesFor }
