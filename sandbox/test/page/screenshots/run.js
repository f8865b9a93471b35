// Takes the pictures of the sandbox that the pages show, for docs/screenshots: npm run docs -- screenshots [<name>...]
import { WebhookError } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { manualClock, startSandbox } from '@service-signature/sandbox'
import express from 'express'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { URL } from 'node:url'
import { launchChromium } from '../../support/chromium.js'
import { caller } from '../call.js'

const FOLDER = new URL('../../../../docs/screenshots/', import.meta.url)
const SHOP = 'http://127.0.0.1:3000'
const WEBHOOKS = `${SHOP}/webhooks`
const LEGACY = `${SHOP}/legacy/hooks`
const INVOICES = `${SHOP}/invoices`
const GONE = 'http://127.0.0.1:3999/webhooks'

const clock = manualClock(Date.now() - 48 * 3600 * 1000)
const sandbox = await startSandbox({ port: 4000, seed: 'screenshots', clock })
const { post, pay } = caller(sandbox)
const shop = await startShop()
await lastDays()
const { forged, accepted, open } = await today()

/** @type {Readonly<Record<string, string>>} */
const PAGES = {
  home: '/',
  delivery: `/deliveries/${forged}/`,
  'delivery-dark': `/deliveries/${forged}/`,
  'delivery-forgery-accepted': `/deliveries/${accepted}/`,
  audit: '/audit/',
  form: `/vault/form/${open}/`,
}

mkdirSync(FOLDER, { recursive: true })
const browser = await launchChromium()
const wanted = process.argv.slice(2)
for (const [name, path] of Object.entries(PAGES)) {
  if (wanted.length === 0 || wanted.includes(name)) await shoot(name, path)
}
await browser.close()
shop.close()
shop.closeAllConnections()
await sandbox.close()

/**
 * @param {string} name
 * @param {string} path
 */
async function shoot(name, path) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    colorScheme: name.endsWith('-dark') ? 'dark' : 'light',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  })
  await page.goto(sandbox.url + path)
  await page.locator('h1').waitFor()
  // The stream keeps a connection open, so the network is never idle.
  await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(400)
  // A picture as WebP takes a quarter of the space of a PNG. The API of Playwright has no such format.
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  writeFileSync(new URL(`${name}.webp`, FOLDER), Buffer.from(data, 'base64'))
  await page.close()
}

/** Everything before today: each payment, and how many minutes passed after it. */
async function lastDays() {
  for (const [index, [amount, webhook_url, minutes, card]] of /** @type {const} */ ([
    [24.9, WEBHOOKS, 95],
    [149, WEBHOOKS, 37, '5555555555554444'],
    [59.5, WEBHOOKS, 210, '4000000000009995'],
    [12000, INVOICES, 4],
    [89.99, WEBHOOKS, 340],
    [79, WEBHOOKS, 600],
    [18.4, GONE, 260],
    [32, INVOICES, 115],
    [4.5, WEBHOOKS, 11],
    [12.75, LEGACY, 11],
    [64, INVOICES, 11],
    [230.1, WEBHOOKS, 11],
    [9.99, LEGACY, 11],
    [41, INVOICES, 11],
  ]).entries()) {
    await pay({ amount, webhook_url, custom_fields: { reference: `Order ${1001 + index}` } }, card)
    await pass(minutes * 60_000)
  }
  await pass(Date.now() - clock.now())
}

/** The last minutes: forgeries, and a failure that is still retried. */
async function today() {
  await pay({ amount: 10.5, webhook_url: WEBHOOKS })
  const forged = await forge()
  await pay({ amount: 10.5, webhook_url: LEGACY })
  const accepted = await forge()
  await pay({ amount: 7.2, webhook_url: WEBHOOKS }, '4000000000000002')
  await pay({ amount: 18.4, webhook_url: GONE })
  const customer = await post('/api/v1.4/customers/', { first_name: 'Lena', last_name: 'Fischer' })
  const open = await post('/api/v1.4/payments/intent/', {
    amount: 25,
    amount_currency: 'EUR',
    customer: customer.id,
    show_save_card_checkbox: true,
    custom_fields: { reference: 'Order 1042', return_url: 'https://shop.example/orders/1042' },
  })
  await sandbox.idle()
  return { forged, accepted, open: open.id }
}

/** Sends the newest delivery again, tampered with. */
async function forge() {
  await sandbox.idle()
  const response = await fetch(`${sandbox.url}/_sandbox/newest/deliveries/?limit=1`)
  const { data } = /** @type {{ data: [{ id: string }] }} */ (await response.json())
  await post(`/_sandbox/deliveries/${data[0].id}/resend/`, { tamper: true })
  return data[0].id
}

/**
 * Makes each retry at its time.
 *
 * @param {number} milliseconds
 */
async function pass(milliseconds) {
  const end = clock.now() + milliseconds
  await sandbox.idle()
  for (const delay of [1000, 5000, 25_000, 120_000, 600_000]) {
    if (clock.now() + delay < end) clock.advance(delay)
    await sandbox.idle()
  }
  clock.advance(Math.max(0, end - clock.now()))
  await sandbox.idle()
}

/** The endpoints of a merchant: one verifies each delivery, one accepts everything, and one fails now and then. */
async function startShop() {
  let failures = 0
  const app = express()
  app.use((req, _res, next) => {
    // The time that an answer takes.
    clock.advance(6 + ((Number(req.headers['content-length']) * 7) % 41))
    next()
  })
  app.post('/webhooks', serviceSignature({ secret: sandbox.secret, now: clock.now }), (_req, res) => {
    res.sendStatus(204)
  })
  app.post('/legacy/hooks', (_req, res) => void res.status(200).json({ received: true }))
  app.post('/invoices', (_req, res) => {
    failures += 1
    if (failures % 4 === 2) res.status(500).json({ error: 'The database did not answer.' })
    else res.sendStatus(204)
  })
  app.use(answerError)
  const server = app.listen(3000, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/**
 * Without it, Express would print each refusal with its stack.
 *
 * @param {unknown} error
 * @param {import('express').Request} _req
 * @param {import('express').Response} res
 * @param {import('express').NextFunction} next
 */
function answerError(error, _req, res, next) {
  if (WebhookError.is(error)) res.set(error.headers).sendStatus(error.status)
  else next(error)
}
