import { createVerifier } from '@service-signature/core'
import { sign } from '@service-signature/core/testing'
import stableStringify from 'fast-json-stable-stringify'
import { createHmac, createSecretKey } from 'node:crypto'
import { bodies } from './events.js'
import { medians, round } from './rounds.js'

const secret = 'test_signature_key'
const timestamp = 1743090080
const key = createSecretKey(secret, 'utf8')
const now = () => timestamp * 1000
const v3 = createVerifier({ secret, now })
const v2 = createVerifier({ secret, versions: ['v2'], now })

/** The signature alone, and v2 against the recipe of S6.4. */
export async function verifyRows() {
  const rows = []
  for (const [size, body] of bodies) {
    const header = sign(body, { secret, apiKey: secret, timestamp })
    const message = Buffer.from(body.toString('base64') + timestamp)
    const recipe = () => {
      const text = stableStringify(JSON.parse(body.toString())).replace(/[ \n\r]/g, '') + timestamp
      return createHmac('sha256', key).update(text).digest('hex')
    }
    if (!header.includes(recipe()))
      throw new Error('the recipe does not give the digest that is to be matched')

    const time = await medians({
      floor: () => createHmac('sha256', key).update(message).digest(),
      signature: () => v3.verifySignatureSync(body, header),
      recipe,
      v2: () => v2.verifySignatureSync(body, header),
    })
    rows.push({
      body: `${size} B`,
      'floor us': round(time.floor),
      'v3 us': round(time.signature),
      'v3 bound us': round(1.15 * time.floor + 2),
      'v2 us': round(time.v2),
      'v2, times as fast as the recipe': round(time.recipe / time.v2),
    })
  }
  return rows
}

/** What a request costs that is refused before its body is read. */
export async function refusalRows() {
  const body = bodies.get(1_500)
  const header = sign(body, { secret, timestamp })
  const refused = (value) => () => {
    try {
      v3.verifySignatureSync(body, value)
    } catch (error) {
      return error
    }
    throw new Error('this was to be refused')
  }
  const time = await medians({
    'verified, 1.5 KB': () => v3.verifySignatureSync(body, header),
    'no header': refused(undefined),
    malformed: refused(`${header},t=1`),
    'wrong version': refused(header.replace('v3', 'v4')),
    stale: refused(header.replace('t=17', 't=16')),
    '16 elements': refused(`${header}${',v9=0'.repeat(13)},x`),
    '20,000 elements': refused(`${header}${',v9=0'.repeat(20_000)}`),
    '20,000 headers': refused(Array(20_000).fill(header)),
    forged: refused(header.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))),
  })
  return Object.entries(time).map(([request, us]) => ({ request, us: round(us) }))
}
