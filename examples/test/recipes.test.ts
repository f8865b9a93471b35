import { createHash, createHmac } from 'node:crypto'
import { intentEvent } from '@service-signature/core/testing'
import { startSandbox } from '@service-signature/sandbox'
import { expect, it, onTestFinished } from 'vitest'
import { forged, SECRET, send, start, valid, type Delivery } from './support.js'

/** Of the secret, as `printf <secret> | openssl sha256` prints it. */
const FINGERPRINT = `sha256:${createHash('sha256').update(SECRET).digest('hex').slice(0, 8)}`

/** The whole answer to a delivery, or to any other body. */
async function answer(url: string, { body, signature = '' }: Delivery) {
  const headers = { 'Content-Type': 'application/json', ...(signature && { 'Service-Signature': signature }) }
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

it('tenants.js answers the delivery of an unknown tenant like a forged one', async () => {
  const program = start('recipes/tenants.js', {
    ...{ BERLIN_SECRET: SECRET, BERLIN_ACCOUNT: 'acc_berlin' },
    ...{ MADRID_SECRET: 'key_of_madrid', MADRID_ACCOUNT: 'acc_madrid' },
  })
  const origin = `http://localhost:${await program.port()}/webhooks`
  const [delivery] = valid(SECRET, '1')
  const known = await answer(`${origin}/madrid`, delivery!)
  expect(known.status).toBe(401)
  for (const tenant of ['rome', '__proto__', 'Berlin']) {
    const unknown = await answer(`${origin}/${tenant}`, delivery!)
    expect({ ...unknown, headers: undefined }).toEqual({ ...known, headers: undefined })
    expect(withoutDate(unknown.headers)).toEqual(withoutDate(known.headers))
  }
  const { stdout, stderr } = await program.end()
  expect(stdout).toBe('')
  expect(stderr.match(/^ERR_\w+/gm)).toEqual([
    'ERR_SIGNATURE_MISMATCH',
    ...Array<string>(3).fill('ERR_SECRET_UNKNOWN'),
  ])
})

it('expect.js accepts only live payments of its account, and of the amount of the order', async () => {
  const account = 'acc_berlin'
  Object.assign(process.env, { WEBHOOK_SECRET: SECRET, PAYMENT_ACCOUNT: account })
  const { isPaid } = (await import(String(new URL('../core/expect.js', import.meta.url)))) as {
    isPaid: (body: string, header: string, order: object) => Promise<boolean>
  }
  const order = { id: 'int_1', value: 20.5, currency: 'EUR' }
  const pay = (changes: object = {}) => {
    const intent = { account, is_live: true, amount: 20.5, amount_currency: 'EUR', ...changes }
    const body = JSON.stringify(intentEvent({ data: { intent_id: 'int_1', intent } }))
    return isPaid(body, signatureOf(body), order)
  }
  expect(await pay()).toBe(true)
  expect(await pay({ amount: 0.5 })).toBe(false)
  expect(await pay({ amount_currency: 'JPY' })).toBe(false)
  expect(await pay({ status: 'FAILED' })).toBe(false)
  await expect(pay({ account: 'acc_madrid' })).rejects.toMatchObject({ code: 'ERR_ACCOUNT_UNEXPECTED' })
  await expect(pay({ is_live: false })).rejects.toMatchObject({ code: 'ERR_MODE_UNEXPECTED' })
})

/** The header with v3, made only by `node:crypto`. */
function signatureOf(body: string): string {
  const t = String(Math.floor(Date.now() / 1000))
  const message = Buffer.from(body).toString('base64') + t
  return `t=${t},v3=${createHmac('sha256', SECRET).update(message).digest('hex')}`
}

function withoutDate(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => name !== 'date')
}

it('error-handler.js answers with the status of the error, and shows only messages that are meant for the caller', async () => {
  const program = start('recipes/error-handler.js')
  const origin = `http://localhost:${await program.port()}`
  for (const delivery of forged(SECRET)) {
    const { status, headers, body } = await answer(`${origin}/webhooks`, delivery)
    expect({ status, body }).toEqual({ status: 401, body: '{"error":"Unauthorized"}' })
    expect(headers.get('WWW-Authenticate')).toBe('Service-Signature')
  }
  // The message of a parser's error may be shown.
  expect(await answer(`${origin}/orders`, { body: '{' })).toMatchObject({
    status: 400,
    body: expect.stringContaining('JSON') as unknown,
  })
  const failed = await fetch(`${origin}/orders`)
  expect({ status: failed.status, body: await failed.json() }).toEqual({
    status: 500,
    body: { error: 'Internal Server Error' },
  })
  expect(await send(`${origin}/webhooks`, valid(SECRET, '1')[0]!)).toBe(204)
  // Only the error without a status is logged.
  const { stderr } = await program.end()
  expect(stderr.match(/^\w*Error\b.*$/gm)).toEqual(['Error: the database is down'])
})

it('rotation.js accepts the current and the previous secret, and reports which deliveries have the previous', async () => {
  const program = start('recipes/rotation.js', { WEBHOOK_SECRET_PREVIOUS: 'previous_key' })
  const url = `http://localhost:${await program.port()}/webhooks`
  for (const secret of [SECRET, 'previous_key']) expect(await send(url, valid(secret, '1')[0]!)).toBe(204)
  expect(await send(url, valid('older_key', '1')[0]!)).toBe(401)
  const { stderr } = await program.end()
  expect(stderr.match(/previous secret/g)).toHaveLength(1)
})

it('express/fetch-secret.js accepts the new secret at once after a rotation', async () => {
  const sandbox = await startSandbox({ seed: 1 })
  onTestFinished(() => sandbox.close())
  const program = start('express/fetch-secret.js', {
    PAYMENT_SERVICE_URL: sandbox.url,
    PAYMENT_API_KEY: sandbox.apiKeys.account,
  })
  const url = `http://localhost:${await program.port()}/webhooks`
  const previous = sandbox.secret
  expect(await send(url, valid(previous, '1')[0]!)).toBe(204)
  await fetch(`${sandbox.url}/_sandbox/secret/rotate/`, { method: 'POST' })
  expect(sandbox.secret).not.toBe(previous)
  expect(await send(url, valid(sandbox.secret, '1')[0]!)).toBe(204)
  expect(await send(url, valid(previous, '1')[0]!)).toBe(401)
  await program.end()
})

it('metrics.js counts the deliveries by their outcome', async () => {
  const program = start('recipes/metrics.js')
  const origin = `http://localhost:${await program.port()}`
  for (const delivery of [...valid(SECRET, '1'), ...forged(SECRET)])
    await send(`${origin}/webhooks`, delivery)
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  const name = 'service_signature_delivery_duration_seconds_count'
  const ofKey = `endpoint="payments",tenant="${FINGERPRINT}"`
  expect(metrics.match(/^service_signature.*_count.*$/gm)).toEqual([
    `${name}{${ofKey},outcome="unhandled",event_type="transaction.purchase.successful"} 1`,
    `${name}{${ofKey},outcome="handled",event_type="intent.processed"} 1`,
    `${name}{${ofKey},outcome="unhandled",event_type="something.new"} 1`,
    `${name}{endpoint="payments",outcome="refused",code="ERR_SIGNATURE_MISMATCH"} 2`,
    `${name}{endpoint="payments",outcome="refused",code="ERR_SIGNATURE_MISSING"} 1`,
  ])
  await program.end()
})

it('telemetry.js makes a span of each delivery, and records how long it took', async () => {
  const program = start('express/endpoint.js', {}, { preload: 'recipes/telemetry.js' })
  const url = `http://localhost:${await program.port()}/webhooks`
  for (const delivery of [...valid(SECRET, '1'), ...forged(SECRET)]) await send(url, delivery)
  const { stdout, code } = await program.end('SIGTERM')
  expect(code).toBe(0)
  const ofValid = (outcome: string, type: string) =>
    `event_type: '${type}', outcome: '${outcome}', tenant: '${FINGERPRINT}'`
  const PURCHASE = ofValid('unhandled', 'transaction.purchase.successful')
  const PROCESSED = ofValid('handled', 'intent.processed')
  const NEW = ofValid('unhandled', 'something.new')
  const MISMATCH = "code: 'ERR_SIGNATURE_MISMATCH', outcome: 'refused'"
  const MISSING = "code: 'ERR_SIGNATURE_MISSING', outcome: 'refused'"
  const spans = [...stdout.matchAll(/name: 'webhook delivery',[^]*?attributes: \{([^]*?)\}/g)]
  expect(spans.map(attributes)).toEqual([PURCHASE, PROCESSED, NEW, MISMATCH, MISMATCH, MISSING])
  const [, histogram = ''] = stdout.split("name: 'service_signature.delivery.duration'")
  const points = [...histogram.matchAll(/attributes: \{([^]*?)\},\s+startTime/g)]
  expect(points.map(attributes)).toEqual([PURCHASE, PROCESSED, NEW, MISMATCH, MISSING])
  expect(histogram.match(/\bcount: \d+/g)).toEqual([1, 1, 1, 2, 1].map((count) => `count: ${count}`))
})

/** The fields between the braces, on one line, by name. */
function attributes([, text]: RegExpMatchArray): string {
  const fields = text!.trim().split(/,\s+/)
  return fields.sort().join(', ')
}
