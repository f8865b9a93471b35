// Run every hour, by cron or by a job of your platform.
import { book, pool } from './book.js'

const { PAYMENT_SERVICE_URL, PAYMENT_API_KEY } = process.env
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
  for await (const { id, amount } of intents) {
    checked++
    if (await book(id, amount)) {
      missing++
      console.log(`booked: ${id}, whose webhook never came`)
    }
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, work))
console.log(`${checked} paid intents, of which ${missing} were missing`)
await pool.end()
