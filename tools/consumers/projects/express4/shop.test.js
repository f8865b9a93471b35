const { deepStrictEqual, match, strictEqual } = require('node:assert')
const { once } = require('node:events')
const { after, before, beforeEach, test } = require('node:test')
const { createShop } = require('./shop.js')
const { BODY, SECRET, send, signatureOf } = require('./shared/deliveries.cjs')

let paid = []
let server
let url

before(async () => {
  server = createShop({ secret: SECRET, paid: (what) => paid.push(what) }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${server.address().port}`
})
beforeEach(() => {
  paid = []
})
after(() => {
  server.closeAllConnections()
  server.close()
})

test('it is Express 4', () => {
  match(require('express/package.json').version, /^4\./)
})

test('a genuine delivery is handled, and handled once', async () => {
  const signature = signatureOf(BODY)
  strictEqual(await send(`${url}/webhooks`, BODY, signature), 204)
  strictEqual(await send(`${url}/webhooks`, BODY, signature), 200)
  deepStrictEqual(
    paid.map(({ type }) => type),
    ['intent.processed'],
  )
})

test('a dispatcher answers for the handler', async () => {
  strictEqual(await send(`${url}/webhooks/dispatched`, BODY, signatureOf(BODY)), 204)
})

for (const [what, body, signature] of [
  ['printed again', JSON.stringify(JSON.parse(BODY)), () => signatureOf(BODY)],
  ['signed with another key', BODY, () => signatureOf(BODY, 'another_key')],
  [
    'signed an hour ago',
    BODY,
    () => signatureOf(BODY, SECRET).replace(/t=\d+/, (t) => `t=${t.slice(2) - 3600}`),
  ],
]) {
  test(`a delivery that was ${what} is refused, and the handler does not run`, async () => {
    strictEqual(await send(`${url}/webhooks`, body, signature()), 401)
    strictEqual(await send(`${url}/webhooks/dispatched`, body, signature()), 401)
    deepStrictEqual(paid, [])
  })
}

test('behind express.json() even the genuine is refused at once, as a fault of the shop', async () => {
  strictEqual(await send(`${url}/late/webhooks`, BODY, signatureOf(BODY)), 500)
  deepStrictEqual(paid, [])
})

test('the other routes have their parsed bodies', async () => {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(`${url}/orders`, { method: 'POST', headers, body: '{"order":7}' })
  deepStrictEqual([response.status, await response.json()], [201, { order: 7 }])
})
