import { createVerifier } from '@service-signature/core'
import { sign } from '@service-signature/core/testing'
import { createHmac, createSecretKey } from 'node:crypto'
// Not part of the public face: what is measured is this step alone.
import { recognize } from '../packages/core/dist/esm/events/event.js'
import { events } from './events.js'
import { medians, round } from './rounds.js'

const secret = 'test_signature_key'
const timestamp = 1743090080
const key = createSecretKey(secret, 'utf8')
const verifier = createVerifier({ secret, now: () => timestamp * 1000 })

/** What it costs to tell an event's shape, and the whole way from bytes to a typed event. */
export async function recognitionRows() {
  const rows = []
  for (const [shape, bodies] of Object.entries(events)) {
    for (const [size, body] of bodies) {
      const header = sign(body, { secret, timestamp })
      const message = Buffer.from(body.toString('base64') + timestamp)
      const payload = JSON.parse(body.toString())
      if (recognize(payload).shape !== shape) throw new Error(`this is no ${shape} event`)

      const time = await medians({
        floor: () => createHmac('sha256', key).update(message).digest(),
        parse: () => JSON.parse(body.toString()),
        recognize: () => recognize(payload),
        full: () => verifier.verifySync(body, header),
      })
      rows.push({
        event: `${shape}, ${size} B`,
        'floor us': round(time.floor),
        'parse us': round(time.parse),
        'recognize us': round(time.recognize),
        'recognize / parse (0.5)': round(time.recognize / time.parse),
        'full us': round(time.full),
        'full / (floor + parse) (1.5)': round(time.full / (time.floor + time.parse)),
      })
    }
  }
  return rows
}
