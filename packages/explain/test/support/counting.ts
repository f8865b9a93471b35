import { nodeHmac } from '@service-signature/core/signature/hmac/node'
import type { Hmac, HmacKey } from '@service-signature/core/signature/hmac/hmac'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { explainDelivery } from '../../src/explain-delivery.js'
import type { Clock } from '../../src/search/hmac-tester.js'
import type { ExplainOptions, ExplainReport } from '../../src/index.js'

/** `explain` with an HMAC that records its computations. */
export function buildCounting(clock: Clock = () => 0): {
  readonly asked: readonly string[]
  readonly imported: readonly string[]
  readonly explain: (body: string, header: string, options: ExplainOptions) => Promise<ExplainReport>
} {
  const asked: string[] = []
  const imported: string[] = []
  const hmac: Hmac<Buffer & HmacKey> = {
    isAsync: false,
    importKey(key) {
      const bytes = Buffer.from(key as Uint8Array)
      imported.push(bytes.toString())
      return Object.assign(bytes, { sha256: '' })
    },
    matches(key, { bytes, base64 }, timestamp, expected) {
      const message = base64 ? Buffer.from(bytes).toString('base64') : bytes
      const computed = createHmac('sha256', key).update(message).update(timestamp).digest()
      asked.push(`${computed.toString('hex')} ${expected}`)
      return timingSafeEqual(computed, Buffer.from(expected, 'hex'))
    },
    sha256: (bytes, prefix) => nodeHmac.sha256(bytes, prefix),
  }
  return {
    asked,
    imported,
    explain: (body, header, options) => explainDelivery(hmac, body, header, options, clock),
  }
}
