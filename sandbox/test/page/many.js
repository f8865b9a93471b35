// How the page copes with 10,000 deliveries: when the first rows appear, how long a filter takes, and how long the longest
// frame is while 50 deliveries a second arrive. Needs a build and Chromium.
//
//   npm run measure -- page
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { launchChromium } from '../support/chromium.js'

const ROUNDS = 7
const PAYMENTS = 5_000
const AT_ONCE = 16
const PAYMENTS_A_SECOND = 25
const SECONDS = 10
const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/service-signature.js', import.meta.url))

// Run in the page, where these names exist.
const WATCH_FIRST_ROW = `
  new MutationObserver((_, observer) => {
    if (document.querySelector('.row-link') === null) return
    observer.disconnect()
    requestAnimationFrame(() => { globalThis.firstRow = performance.now() })
  }).observe(document, { childList: true, subtree: true })`
const WATCH_FRAMES = `
  globalThis.frames = []
  globalThis.longTasks = []
  if (globalThis.isWatching !== true) {
    globalThis.isWatching = true
    new PerformanceObserver((list) => {
      globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration))
    }).observe({ type: 'longtask' })
    let before = performance.now()
    requestAnimationFrame(function next(now) {
      globalThis.frames.push(now - before)
      before = now
      requestAnimationFrame(next)
    })
  }`
// The time until the rows are others, after an action.
const UNTIL_OTHERS = `(act) => new Promise((resolve) => {
  const table = document.querySelector('.table')
  const started = performance.now()
  const before = table.getAttribute('aria-rowcount')
  const observer = new MutationObserver(() => {
    const now = document.querySelector('.table')
    if (now.getAttribute('aria-busy') === 'true' || now.getAttribute('aria-rowcount') === before) return
    observer.disconnect()
    requestAnimationFrame(() => resolve(performance.now() - started))
  })
  observer.observe(document.body, { childList: true, subtree: true, attributes: true })
  act()
})`

const endpoint = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(204).end())
}).listen(0, '127.0.0.1')
await once(endpoint, 'listening')
const webhookUrl = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (endpoint.address()).port}/`

const service = spawn(process.execPath, [COMMAND, 'sandbox', '--port', '0', '--keep', '10000'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const url = await addressOf(service.stdout)
/** @type {string | undefined} */
let key
key = await accountKey()

try {
  const started = performance.now()
  await payMany(PAYMENTS)
  const { count } = await json('GET', '/_sandbox/newest/deliveries/?limit=1')
  console.log(`${count} deliveries after ${Math.round((performance.now() - started) / 1000)} s`)
  const browser = await launchChromium()
  await measure(await browser.newPage({ viewport: { width: 1280, height: 800 } }))
  await browser.close()
} finally {
  service.kill()
  endpoint.close()
}

/** @param {import('playwright-core').Page} page */
async function measure(page) {
  await page.addInitScript(WATCH_FIRST_ROW)
  for (const visit of ['first visit', 'second visit']) {
    await page.goto(`${url}/deliveries/`)
    await page.waitForFunction('globalThis.firstRow !== undefined')
    report(`First rows, ${visit}`, await page.evaluate('globalThis.firstRow'), 500)
  }
  /** @type {Record<string, number[]>} */
  const times = {}
  const time = async (/** @type {string} */ name, /** @type {string} */ action) => {
    ;(times[name] ??= []).push(/** @type {number} */ (await page.evaluate(action)))
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [label, value] of /** @type {const} */ ([
      ['Event', 'intent.*'],
      ['Event', ''],
      ['Mode', 'true'],
      ['Mode', ''],
    ])) {
      await time(`Filter ${label} "${value}"`, chooseFilter(label, value))
    }
    // Another text each time, because the page shows at once what it still has of an earlier one.
    await time('Search while typing', typeSearch(`int_00${round}`))
    await time('End of the search', typeSearch(''))
  }
  for (const [name, each] of Object.entries(times)) {
    const sorted = [...each].sort((one, other) => one - other)
    report(`${name}, median of ${ROUNDS}`, sorted[ROUNDS >> 1], 100)
    console.log(`  the slowest: ${sorted.at(-1)?.toFixed(0)} ms`)
  }
  await page.goto(`${url}/deliveries/`)
  await page.waitForFunction('globalThis.firstRow !== undefined')
  for (const place of ['at the top', 'in the middle']) {
    if (place === 'in the middle') await page.evaluate('document.querySelector(".table").scrollTop = 100000')
    await page.evaluate(WATCH_FRAMES)
    await payEachSecond(SECONDS)
    const frames = /** @type {number[]} */ (await page.evaluate('globalThis.frames'))
    const longTasks = /** @type {number[]} */ (await page.evaluate('globalThis.longTasks'))
    report(`Longest of ${frames.length} frames, ${place}`, Math.max(...frames), 50)
    console.log(`  tasks over 50 ms: ${longTasks.map(Math.round).join(', ') || '-'}`)
  }
  await page.evaluate(WATCH_FRAMES)
  for (let step = 0; step < 60; step++) await page.mouse.wheel(0, 1500)
  const frames = /** @type {number[]} */ (await page.evaluate('globalThis.frames'))
  report(`Longest of ${frames.length} frames while scrolling`, Math.max(...frames), 50)
}

/**
 * The time from a choice until the rows are others.
 *
 * @param {string} label
 * @param {string} value
 */
function chooseFilter(label, value) {
  return `(async () => {
    const select = document.querySelector('select[aria-label="${label}"]')
    return (${UNTIL_OTHERS})(() => {
      select.value = ${JSON.stringify(value)}
      select.dispatchEvent(new Event('change', { bubbles: true }))
    })
  })()`
}

/** @param {string} text */
function typeSearch(text) {
  return `(async () => {
    const input = document.querySelector('input[type=search]')
    return (${UNTIL_OTHERS})(() => {
      input.value = ${JSON.stringify(text)}
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
  })()`
}

/**
 * @param {string} name
 * @param {unknown} milliseconds
 * @param {number} limit
 */
function report(name, milliseconds, limit) {
  const found = Number(milliseconds)
  console.log(`${found <= limit ? 'ok  ' : 'SLOW'} ${name}: ${found.toFixed(0)} ms (limit ${limit} ms)`)
  if (found > limit) process.exitCode = 1
}

/** @param {import('node:stream').Readable} output */
async function addressOf(output) {
  let text = ''
  for await (const chunk of output) {
    text += String(chunk)
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)
    if (found !== null) {
      output.resume()
      return found[0]
    }
  }
  throw new Error(`The sandbox did not start: ${text}`)
}

async function accountKey() {
  const { data } = await json('POST', '/_sandbox/keys/reveal/')
  return data.keys.find(({ type }) => type === 'account')?.api_key
}

/** @param {number} count */
async function payMany(count) {
  let left = count
  const pay = async () => {
    while (left-- > 0) await payOnce()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, pay))
}

/** @param {number} seconds */
async function payEachSecond(seconds) {
  /** @type {Promise<void>[]} */
  const paid = []
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      paid.push(payOnce())
      if (paid.length < seconds * PAYMENTS_A_SECOND) return
      clearInterval(timer)
      resolve(undefined)
    }, 1000 / PAYMENTS_A_SECOND)
  })
  await Promise.all(paid)
}

/** Sends two deliveries. */
async function payOnce() {
  const fields = { amount: 10.5, amount_currency: 'EUR', operation: 'purchase', webhook_url: webhookUrl }
  const { data } = await json('POST', '/api/v1.4/payments/intent/', fields)
  await json('POST', `/_sandbox/intents/${data.id}/pay/`, { card: '4242424242424242' })
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<{ count: number, data: { id: string, keys: { type: string, api_key: string }[] } }>}
 */
async function json(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { ...(key !== undefined && { 'X-Api-Key': key }), 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  // The answers of the calls above have these fields.
  return /** @type {ReturnType<typeof json>} */ (response.json())
}
