// How the page copes with 10,000 deliveries: when the first rows appear, how long a filter takes, and how long the longest
// frame is while 50 deliveries a second arrive. Needs a build and Chromium.
//
//   npm run measure -- page
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { caller } from '../support/call.js'
import { launchChromium } from '../support/chromium.js'

const ROUNDS = 7
const PAYMENTS = 5_000
const AT_ONCE = 16
const PAYMENTS_A_SECOND = 25
const SECONDS = 10
const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/service-signature.js', import.meta.url))

// Run in the page, where these names exist.
const WATCH_FRAMES = `{
  globalThis.frames = []
  let before = performance.now()
  requestAnimationFrame(function next(now) {
    globalThis.frames.push(now - before)
    before = now
    requestAnimationFrame(next)
  })
}`
const HAS_ROWS = "document.querySelector('.row-link') !== null"
const ROW_COUNT = "document.querySelector('.table:not([aria-busy=true])')?.getAttribute('aria-rowcount')"

const endpoint = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(204).end())
}).listen(0, '127.0.0.1')
await once(endpoint, 'listening')
const { port } = /** @type {import('node:net').AddressInfo} */ (endpoint.address())

const { service, url, apiKeys } = await start()
const { post } = caller({ url, apiKeys })

try {
  await payMany()
  const browser = await launchChromium()
  await measure(await browser.newPage({ viewport: { width: 1280, height: 800 }, bypassCSP: true }))
  await browser.close()
} finally {
  service.kill()
  endpoint.close()
}

/** @typedef {{ readonly url: string, readonly apiKeys: { readonly account: string } }} Started */

/** Starts the sandbox, and waits until it listens. */
async function start() {
  const options = ['sandbox', '--port', '0', '--keep', '10000', '--json']
  const service = spawn(process.execPath, [COMMAND, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  // The text of a list of one chunk is that of the chunk.
  const line = String(await once(service.stdout, 'data'))
  service.stdout.resume()
  return { service, .../** @type {Started} */ (JSON.parse(line)) }
}

/** @param {import('playwright-core').Page} page */
async function measure(page) {
  for (const visit of ['first visit', 'second visit']) {
    const showsRows = async () => {
      await page.goto(`${url}/deliveries/`)
      await page.waitForFunction(HAS_ROWS)
    }
    report(`First rows, ${visit}`, await timeOf(showsRows), 1000)
  }
  /** @type {Record<string, number[]>} */
  const times = {}
  const time = async (/** @type {string} */ name, /** @type {() => Promise<unknown>} */ act) => {
    const before = /** @type {string} */ (await page.evaluate(ROW_COUNT))
    const changesRows = async () => {
      await act()
      await page.waitForFunction(`![undefined, ${JSON.stringify(before)}].includes(${ROW_COUNT})`)
    }
    ;(times[name] ??= []).push(await timeOf(changesRows))
  }
  for (let round = 0; round < ROUNDS; round++) {
    const select = page.locator('select[aria-label="Event"]')
    await time('Filter', () => select.selectOption('intent.*'))
    await time('End of the filter', () => select.selectOption(''))
    // Another text each time, because the page shows at once what it still has of an earlier one.
    const search = page.locator('input[type=search]')
    await time('Search while typing', () => search.fill(`int_0${round}`))
    await time('End of the search', () => search.fill(''))
  }
  for (const [name, each] of Object.entries(times)) {
    const sorted = [...each].sort((one, other) => one - other)
    report(`${name}, median of ${ROUNDS}`, sorted[ROUNDS >> 1] ?? NaN, 150)
  }
  await page.goto(`${url}/deliveries/`)
  await page.waitForFunction(HAS_ROWS)
  const reportFrames = async (/** @type {string} */ when, /** @type {() => Promise<void>} */ act) => {
    await page.evaluate(WATCH_FRAMES)
    await act()
    const frames = /** @type {number[]} */ (await page.evaluate('globalThis.frames'))
    report(`Longest of ${frames.length} frames ${when}`, Math.max(...frames), 50)
  }
  await reportFrames('while deliveries arrive', payEachSecond)
  await reportFrames('while scrolling', async () => {
    for (let step = 0; step < 60; step++) await page.mouse.wheel(0, 1500)
  })
}

/** @param {() => Promise<void>} act */
async function timeOf(act) {
  const started = performance.now()
  await act()
  return performance.now() - started
}

/**
 * @param {string} name
 * @param {number} milliseconds
 * @param {number} limit
 */
function report(name, milliseconds, limit) {
  const isOk = milliseconds <= limit
  console.log(`${isOk ? 'ok  ' : 'SLOW'} ${name}: ${milliseconds.toFixed(0)} ms (limit ${limit} ms)`)
  if (!isOk) process.exitCode = 1
}

async function payMany() {
  let left = PAYMENTS
  const payOneByOne = async () => {
    while (left-- > 0) await pay()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, payOneByOne))
}

async function payEachSecond() {
  /** @type {Promise<unknown>[]} */
  const paid = []
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      paid.push(pay())
      if (paid.length < SECONDS * PAYMENTS_A_SECOND) return
      clearInterval(timer)
      resolve(undefined)
    }, 1000 / PAYMENTS_A_SECOND)
  })
  await Promise.all(paid)
}

/** Sends two deliveries. */
async function pay() {
  const intent = { amount: 10.5, amount_currency: 'EUR', webhook_url: `http://127.0.0.1:${port}/` }
  const { id } = await post('/api/v1.4/payments/intent/', intent)
  await post(`/_sandbox/intents/${id}/pay/`, { card: '4242424242424242' })
}
