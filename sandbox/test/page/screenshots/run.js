// Takes the pictures of the sandbox that the pages show, for docs/screenshots: npm run docs -- screenshots [<name>...]
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
const VIEWPORT = { width: 1280, height: 800 }
const TWO_DAYS = 48 * 3600 * 1000

const clock = manualClock(Date.now() - TWO_DAYS)
const sandbox = await startSandbox({ port: 4000, seed: 'screenshots', clock, checks: 'all' })
const shop = await startShop()
const history = new History(sandbox, clock)
await history.lastDays()
const { refused, open } = await history.today()

/** @type {Readonly<Record<string, string>>} */
const PAGES = {
  home: '/',
  delivery: `/deliveries/${refused.id}/`,
  'delivery-dark': `/deliveries/${refused.id}/`,
  audit: '/audit/?url=http://127.0.0.1:3000/orders',
  form: `/vault/form/${open.id}/`,
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
    viewport: VIEWPORT,
    deviceScaleFactor: 2,
    colorScheme: name.endsWith('-dark') ? 'dark' : 'light',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  })
  await page.goto(sandbox.url + path)
  await page.locator('h1').waitFor()
  // The stream keeps a connection open, so the network is never idle.
  await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' })
  if (name === 'audit') {
    await page.getByRole('button', { name: 'Start the audit' }).click()
    await page.getByRole('link', { name: 'audit.html' }).waitFor()
  }
  await page.waitForTimeout(400)
  // A picture as WebP takes a quarter of the space of a PNG. The API of Playwright has no such format.
  const session = await page.context().newCDPSession(page)
  const clip = { x: 0, y: 0, ...VIEWPORT, scale: 2 }
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 60, clip })
  writeFileSync(new URL(`${name}.webp`, FOLDER), Buffer.from(data, 'base64'))
  await page.close()
}

/**
 * The endpoints of a merchant: one verifies each delivery, one accepts everything, one fails now and then, and one
 * verifies a body that it has parsed.
 */
async function startShop() {
  let failures = 0
  const app = express()
  app.use((req, _res, next) => {
    // The time that an answer takes.
    clock.advance(6 + ((Number(req.headers['content-length'] ?? 0) * 7) % 41))
    next()
  })
  const verify = serviceSignature({ secret: sandbox.secret, now: clock.now })
  app.post('/webhooks', verify, (_req, res) => void res.sendStatus(204))
  app.use('/orders', express.json(), (req, _res, next) => {
    req.body = Buffer.from(JSON.stringify(req.body))
    next()
  })
  app.post('/orders', verify, (_req, res) => void res.sendStatus(204))
  app.post('/legacy/hooks', (_req, res) => void res.status(200).json({ received: true }))
  app.post('/invoices', verify, (_req, res) => {
    failures += 1
    if (failures % 4 === 2) res.status(500).json({ error: 'The database did not answer.' })
    else res.sendStatus(204)
  })
  // Without it, Express would print each refusal with its stack.
  /** @type {import('express').ErrorRequestHandler} */
  const answerError = (error, _req, res, next) => {
    if (WebhookError.is(error)) res.set(error.headers).sendStatus(error.status)
    else next(error)
  }
  app.use(answerError)
  const server = app.listen(3000, '127.0.0.1')
  await once(server, 'listening')
  return server
}
