import type { WebhookErrorCode } from '@service-signature/core'
import { createHash } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Host, Setup } from '../host.js'
import {
  apiKey,
  delivery,
  deliverySigned,
  intent,
  secret,
  sign,
  timestamp,
  transaction,
  type Request,
} from '../support/deliveries.js'
import { serve, type Endpoint } from '../support/endpoint.js'

const genuine = sign(transaction)
const lastByteChanged = Buffer.from(transaction)
lastByteChanged[lastByteChanged.length - 1] = 0x20

const forged: readonly (readonly [what: string, request: Request])[] = [
  ['another body', delivery({ body: intent, signature: [genuine] })],
  ['one byte changed', delivery({ body: lastByteChanged, signature: [genuine] })],
  [
    'a line break after the body',
    delivery({ body: Buffer.from(`${String(transaction)}\n`), signature: [genuine] }),
  ],
  ['a body that was printed again', delivery({ body: printedAgain(transaction), signature: [genuine] })],
  ['no body', delivery({ body: Buffer.alloc(0), signature: [genuine] })],
  ['another secret', deliverySigned(sign(transaction, { secret: 'another_key' }))],
  ['the API key for the secret', deliverySigned(sign(transaction, { secret: apiKey }))],
  ['another time', deliverySigned(genuine.replace(String(timestamp), String(timestamp + 1)))],
  ['the same time in other digits', deliverySigned(genuine.replace('t=', 't=0'))],
  ["another version's digest", deliverySigned(sign(transaction, { versions: ['v2'] }).replace('v2', 'v3'))],
]

/** One delivery for each reason that there is for a 401. */
const unauthorized: readonly (readonly [code: WebhookErrorCode, request: Request])[] = [
  ['ERR_SIGNATURE_MISSING', deliverySigned()],
  ['ERR_SIGNATURE_VERSION_MISSING', deliverySigned(sign(transaction, { versions: ['v1'] }))],
  ['ERR_TIMESTAMP_TOO_OLD', deliverySigned(sign(transaction, { timestamp: timestamp - 86_400 }))],
  ['ERR_TIMESTAMP_IN_FUTURE', deliverySigned(sign(transaction, { timestamp: timestamp + 86_400 }))],
  ['ERR_SIGNATURE_MISMATCH', deliverySigned(sign(transaction, { secret: 'another_key' }))],
  ['ERR_SIGNATURE_MISMATCH', delivery({ body: lastByteChanged, signature: [genuine] })],
]

/** One request for each other refusal of a complete request. */
const otherwiseRefused: readonly (readonly [code: WebhookErrorCode, request: Request])[] = [
  ['ERR_SIGNATURE_MALFORMED', deliverySigned('garbage')],
  ['ERR_BODY_ENCODED', delivery({ headers: { 'Content-Encoding': 'gzip' } })],
  ['ERR_BODY_TOO_LARGE', delivery({ body: Buffer.alloc(5000, 'x') })],
  ['ERR_BODY_NOT_JSON', delivery({ body: Buffer.from('not_json') })],
]

export function signatures(host: Host): void {
  describe('the signature', () => {
    it.each(forged)('does not match with %s', async (_what, request) => {
      const endpoint = await serve(host)
      await endpoint.refuses(request, 'ERR_SIGNATURE_MISMATCH')
    })

    it('must match in every version that is required', async () => {
      const versions = ['v1', 'v2', 'v3'] as const
      const endpoint = await serve(host, { options: { secret, apiKey, versions } })
      await endpoint.accepts(deliverySigned(sign(transaction, { versions })))
      const wrong = sign(transaction, { versions, apiKey: 'another_key' })
      await endpoint.refuses(deliverySigned(wrong), 'ERR_SIGNATURE_MISMATCH')
      await endpoint.refuses(delivery(), 'ERR_SIGNATURE_VERSION_MISSING')
    })

    it('must match under one of the configured secrets', async () => {
      const endpoint = await serve(host, { options: { secret: ['the_next_key', 'the_one_after'] } })
      await endpoint.refuses(delivery(), 'ERR_SIGNATURE_MISMATCH')
    })
  })

  describe('the fingerprint of the key that does not match', () => {
    it.each(['test', 'development', 'production'])(
      'is in the error for the operator, and not in the answer, in %s',
      async (environment) => {
        const endpoint = await serveIn(environment, host, { secret: 'of_another_organization' })
        const { text, handlerRan } = await endpoint.refuses(delivery(), 'ERR_SIGNATURE_MISMATCH')
        const hash = createHash('sha256').update('of_another_organization').digest('hex')
        expect(endpoint.rejected[0]!.message).toContain(`: v3 under secret sha256:${hash.slice(0, 8)}. `)
        expect(text).not.toContain('sha256')
        expect(text).not.toContain(hash.slice(0, 8))
        expect(handlerRan).toBe(0)
      },
    )
  })

  describe('the answer to a refusal', () => {
    it.each(['test', 'development', 'production'])(
      'is the same, byte for byte, for every 401 in %s',
      async (environment) => {
        const endpoint = await serveIn(environment, host)
        const answers = new Set<string>()
        for (const [code, request] of unauthorized) {
          const { text } = await endpoint.refuses(request, code)
          answers.add(text.replace(/^Date: .*\r\n/im, ''))
        }
        expect([...answers]).toHaveLength(1)
        expect([...answers][0]).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/)
      },
    )

    it('contains no reason in production', async () => {
      const endpoint = await serveIn('production', host)
      for (const [code, request] of [...unauthorized, ...otherwiseRefused]) {
        const { text } = await endpoint.refuses(request, code)
        for (const sentence of endpoint.rejected.at(-1)!.message.split('. ')) {
          expect(text).not.toContain(sentence)
        }
      }
    })
  })
}

/** Hosts look at NODE_ENV to choose between a bare answer and one with the stack. */
async function serveIn(
  environment: string,
  host: Host,
  options: Setup['options'] = { bodyLimit: 4096 },
): Promise<Endpoint> {
  vi.stubEnv('NODE_ENV', environment)
  // Outside of tests, Express prints the errors that it answers with.
  const log = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => {
    vi.unstubAllEnvs()
    log.mockRestore()
  })
  return serve(host, { options })
}

function printedAgain(body: Buffer): Buffer {
  return Buffer.from(JSON.stringify(JSON.parse(String(body)), null, 2))
}
