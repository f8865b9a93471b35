import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { startWithEndpoint } from '../support/service.js'
import { partsOf } from '../support/signature.js'
import { isMissing } from '../../../test/contract/src/services.js'

/** How the specification computes the three signatures, in Python. */
const RECIPE = `
import base64, hashlib, hmac, json, sys
question = json.load(sys.stdin)
body, t = bytes.fromhex(question['body']), question['t']
def digest(key, message): return hmac.new(key.encode(), message.encode(), hashlib.sha256).hexdigest()
def squeeze(text): return text.replace(' ', '').replace('\\n', '').replace('\\r', '')
canonical = json.dumps(json.loads(body), sort_keys=True, separators=(',', ':'), ensure_ascii=question['ascii'])
json.dump({
  'v1': digest(question['apiKey'], squeeze(body.decode()) + t),
  'v2': digest(question['secret'], squeeze(canonical) + t),
  'v3': digest(question['secret'], base64.b64encode(body).decode() + t),
}, sys.stdout)
`

describe.skipIf(isMissing('python'))('the signatures of an event', () => {
  it.each(['source', 'ecmascript', 'python'] as const)(
    'are those that Python computes over the bytes, canonical form %s',
    async (canonicalForm) => {
      const { service, endpoint } = await startWithEndpoint({ canonicalForm })
      const { secret, apiKeys } = service.sandbox
      const customer = await service.customer({ first_name: 'Jane', last_name: 'Doe of Tallinn' })
      const custom_fields = { note: 'two words\nand a line', umlaut: 'fu\u00df' }
      await service.sent(endpoint.url, { customer, amount: 10.5, custom_fields })
      expect(endpoint.received).toHaveLength(2)
      for (const delivery of endpoint.received) {
        const { t, ...digests } = partsOf(delivery)
        const question = { t, secret, apiKey: apiKeys.account, body: delivery.bytes.toString('hex') }
        const input = JSON.stringify({ ...question, ascii: canonicalForm !== 'ecmascript' })
        const { stdout } = spawnSync('python3', ['-c', RECIPE], { input, encoding: 'utf8' })
        expect(digests).toEqual(JSON.parse(stdout))
      }
    },
  )
})
