// Takes a picture of each page of the sandbox, for docs/screenshots: npm run docs -- screenshots [<name>...]
import { manualClock, startSandbox } from '@service-signature/sandbox'
import { mkdirSync, writeFileSync } from 'node:fs'
import { URL } from 'node:url'
import { launchChromium } from '../../support/chromium.js'
import { History } from './history.js'
import { startShop } from './shop.js'
import { smallPng } from './small-png.js'

const FOLDER = new URL('../../../../docs/screenshots/', import.meta.url)
const MINUTE = 60_000
const TWO_DAYS = 48 * 60 * MINUTE
/** The schedule of retries, so that each is made at its time. */
const RETRIES_MS = [1000, 5000, 25_000, 120_000, 600_000]

const clock = movableClock(Date.now() - TWO_DAYS)
const sandbox = await startSandbox({ port: 4000, seed: 'screenshots', clock })
const shop = await startShop({ baseUrl: sandbox.url, apiKey: sandbox.apiKeys.account }, (milliseconds) => {
  clock.work(milliseconds)
})
const history = new History(sandbox, shop, pass)
await history.lastDays()
clock.beReal()
shop.beStrict()
const { intent, forged, accepted, open } = await history.today()
const first = await firstOf('transactions')
const customer = await firstOf('customers', 'search=Ada')
const card = await firstOf('card-tokens')
const agreement = await firstOf('agreements')
const request = await firstOf('requests', 'status=400')

/** @type {readonly (readonly [name: string, path: string])[]} */
const PAGES = [
  ['deliveries', '/deliveries/'],
  ['delivery', `/deliveries/${forged.id}/`],
  ['delivery-forgery-accepted', `/deliveries/${accepted.id}/`],
  ['compose', '/compose/'],
  ['home', '/'],
  ['audit', '/audit/'],
  ['payments', '/payments/new/'],
  ['intents', '/payments/intents/'],
  ['intent', `/payments/intents/${intent.id}/`],
  ['transactions', '/payments/transactions/'],
  ['transaction', `/payments/transactions/${first?.id}/`],
  ['customers', '/payments/customers/'],
  ['customer', `/payments/customers/${customer?.id}/`],
  ['cards', '/payments/cards/'],
  ['card', `/payments/cards/${card?.id}/`],
  ['agreements', '/payments/agreements/'],
  ['agreement', `/payments/agreements/${encodeURIComponent(agreement?.key ?? '')}/`],
  ['providers', '/settings/providers/'],
  ['requests', '/settings/requests/'],
  ['request', `/settings/requests/${request?.id}/`],
  ['keys', '/settings/keys/'],
  ['settings', '/settings/'],
  ['form', `/vault/form/${open.id}/`],
]

mkdirSync(FOLDER, { recursive: true })
const browser = await launchChromium()
const wanted = process.argv.slice(2)
for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  })
  for (const [name, path] of PAGES) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    if (colorScheme === 'dark' && name !== 'delivery') continue
    await shoot(context, path, colorScheme === 'light' ? name : `${name}-dark`)
  }
  await context.close()
}
await browser.close()
await shop.close()
await sandbox.close()

/**
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} path
 * @param {string} name
 */
async function shoot(context, path, name) {
  const page = await context.newPage()
  await page.goto(sandbox.url + path)
  await page.locator('h1').waitFor()
  // The stream keeps a connection open, so the network is never idle.
  await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(400)
  writeFileSync(new URL(`${name}.png`, FOLDER), smallPng(await page.screenshot()))
  await page.close()
}

/**
 * @param {string} kind
 * @param {string} [query]
 */
async function firstOf(kind, query = '') {
  const path = kind === 'requests' ? '/_sandbox/requests/' : `/_sandbox/newest/${kind}/`
  const found = await history.call('GET', `${path}?limit=1&${query}`)
  return /** @type {import('./history.js').Data[]} */ (/** @type {unknown} */ (found))[0]
}

/** @param {number} minutes */
async function pass(minutes) {
  const end = clock.now() + minutes * MINUTE
  await sandbox.idle()
  for (const delay of RETRIES_MS) {
    if (clock.now() + delay < end) clock.advance(delay)
    await sandbox.idle()
  }
  clock.advance(end - clock.now())
  await sandbox.idle()
}

/**
 * A clock that is set by hand at first, and then is that of this machine.
 *
 * @param {number} start
 */
function movableClock(start) {
  const manual = manualClock(start)
  let isReal = false
  return {
    now: () => (isReal ? Date.now() : manual.now()),
    /**
     * @param {number} milliseconds
     * @param {() => void} callback
     */
    after(milliseconds, callback) {
      if (!isReal) return manual.after(milliseconds, callback)
      const timer = setTimeout(callback, milliseconds)
      return () => {
        clearTimeout(timer)
      }
    },
    /** @param {number} milliseconds */
    advance(milliseconds) {
      manual.advance(milliseconds)
    },
    /**
     * Does nothing once the clock is real.
     *
     * @param {number} milliseconds
     */
    work(milliseconds) {
      if (!isReal) manual.advance(milliseconds)
    },
    beReal() {
      manual.advance(Math.max(0, Date.now() - manual.now()))
      isReal = true
    },
  }
}
