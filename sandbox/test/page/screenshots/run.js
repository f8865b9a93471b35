// Takes a picture of each page of the sandbox, for docs/screenshots: npm run docs -- screenshots [<name>...]
import { WebhookError } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import { manualClock, startSandbox } from '@service-signature/sandbox'
import express from 'express'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { URL } from 'node:url'
import { launchChromium } from '../../support/chromium.js'
import { History } from './history.js'

const FOLDER = new URL('../../../../docs/screenshots/', import.meta.url)
const TWO_DAYS = 48 * 3600 * 1000

const clock = manualClock(Date.now() - TWO_DAYS)
const sandbox = await startSandbox({ port: 4000, seed: 'screenshots', clock })
const shop = await startShop()
const history = new History(sandbox, clock)
await history.lastDays()
const { intent, forged, accepted, open } = await history.today()
const first = await history.firstOf('newest/transactions')
const customer = await history.firstOf('newest/customers', 'search=Ada')
const card = await history.firstOf('newest/card-tokens')
const agreement = await history.firstOf('newest/agreements')
const request = await history.firstOf('requests', 'status=400')

/** @type {Readonly<Record<string, string>>} */
const PAGES = {
  deliveries: '/deliveries/',
  delivery: `/deliveries/${forged.id}/`,
  'delivery-forgery-accepted': `/deliveries/${accepted.id}/`,
  compose: '/compose/',
  home: '/',
  audit: '/audit/',
  payments: '/payments/new/',
  intents: '/payments/intents/',
  intent: `/payments/intents/${intent.id}/`,
  transactions: '/payments/transactions/',
  transaction: `/payments/transactions/${first.id}/`,
  customers: '/payments/customers/',
  customer: `/payments/customers/${customer.id}/`,
  cards: '/payments/card-tokens/',
  card: `/payments/card-tokens/${card.id}/`,
  agreements: '/payments/agreements/',
  agreement: `/payments/agreements/${encodeURIComponent(agreement.id)}/`,
  requests: '/settings/requests/',
  request: `/settings/requests/${request.id}/`,
  keys: '/settings/keys/',
  settings: '/settings/',
  form: `/vault/form/${open.id}/`,
  'delivery-dark': `/deliveries/${forged.id}/`,
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
