import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Digest, Search } from '../../../src/digest/digest.js'
import type { Clock } from '../../../src/explain/budget.js'
import { explainWith } from '../../../src/explain/build.js'
import type { ExplainOptions, ExplainReport } from '../../../src/explain.js'
import { nodeDigest } from '../../../src/digest/node.js'

/** `explain` over a digest that writes down what it is asked. */
export function buildCounting(clock: Clock = () => 0): {
  readonly asked: readonly string[]
  readonly imported: readonly string[]
  readonly explain: (body: string, header: string, options: ExplainOptions) => Promise<ExplainReport>
} {
  const asked: string[] = []
  const imported: string[] = []
  const digest: Pick<Digest<Uint8Array>, 'importKey' | 'run' | 'sha256'> = {
    importKey(key) {
      const bytes = Buffer.from(key as Uint8Array)
      imported.push(bytes.toString())
      return bytes
    },
    sha256: nodeDigest.sha256,
    run<Found, Result>(search: Search<Uint8Array, Found>, then: (found: Found) => Result): Result {
      let step = search.next()
      while (step.done !== true) {
        const { key, message, timestamp, digest: expected } = step.value
        const computed = createHmac('sha256', key).update(message.bytes).update(timestamp).digest()
        asked.push(`${computed.toString('hex')} ${expected}`)
        step = search.next(timingSafeEqual(computed, Buffer.from(expected, 'hex')))
      }
      return then(step.value)
    },
  }
  return {
    asked,
    imported,
    explain: (body, header, options) => explainWith(digest, body, header, options, clock),
  }
}
