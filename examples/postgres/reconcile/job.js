// Run every hour, by cron or by a job of your platform.
import { book, inbox, pool } from './book.js'

const { PAYMENT_SERVICE_URL, PAYMENT_API_KEY, PAYMENT_MODE = 'live' } = process.env
if (!PAYMENT_SERVICE_URL || !PAYMENT_API_KEY) throw new Error('Set PAYMENT_SERVICE_URL and PAYMENT_API_KEY')

/** Longer than an intent may take to be paid, and than the job may fail to run. */
const DAYS = 3
const PAGE = 100
const AT_ONCE = 5

/** The paid intents, page by page. The service documents that they can be listed; the path is the sandbox's. */
async function* paidIntents() {
  const since = new Date(Date.now() - DAYS * 86_400_000).toISOString()
  for (let offset = 0; ; offset += PAGE) {
    const query = `status=PROCESSED&created_from=${since}&limit=${PAGE}&offset=${offset}`
    const response = await fetch(new URL(`/api/v1.4/payments/intent/?${query}`, PAYMENT_SERVICE_URL), {
      headers: { 'X-Api-Key': PAYMENT_API_KEY },
      signal: AbortSignal.timeout(10_000),
    })
    if (!response.ok) throw new Error(`The list of intents: ${response.status}`)
    const { data } = await response.json()
    yield* data
    if (data.length < PAGE) return
  }
}

let checked = 0
let missing = 0
const intents = paidIntents()
async function work() {
  for await (const intent of intents) {
    // An API key lists one account in one mode.
    if (intent.is_live !== (PAYMENT_MODE !== 'test')) throw new Error('PAYMENT_API_KEY is of the other mode')
    checked++
    try {
      if (!(await book(intent))) continue
      missing++
      console.log(`booked: ${intent.id}, whose webhook never came`)
    } catch (error) {
      // A webhook is booking it right now. Should that fail, the next run books it.
      if (error.code !== 'ERR_DELIVERY_IN_PROGRESS') throw error
    }
  }
}
await inbox.migrate()
await Promise.all(Array.from({ length: AT_ONCE }, work))
console.log(`${checked} paid intents, of which ${missing} were missing`)
await pool.end()
