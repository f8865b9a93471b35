import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memoryReplayStore, WebhookError } from '../../src/entries/index.js'
import * as node from '../../src/entries/receiver.js'
import * as web from '../../src/entries/receiver.web.js'
import { deliver, deliveries, type Delivery, optionsOf } from './arbitraries.js'
import { attempt, expectNoKeys, runs } from './checks.js'
import { verdictOn } from './oracle/verdict.js'

interface Request {
  readonly delivery: Delivery
  readonly encoding: string | null | undefined
  readonly isTooLarge: boolean
  readonly runtime: 'node' | 'web'
}

const runtimes = { node, web }
const requests: fc.Arbitrary<Request> = fc.record({
  delivery: deliveries,
  encoding: fc.oneof(
    fc.constantFrom(null, undefined, '', 'identity', ' Identity '),
    fc.constantFrom('gzip', 'identity, gzip', 'identity\0', '\u0131dentity'),
  ),
  isTooLarge: fc.nat(3).map((number) => number === 3),
  runtime: fc.constantFrom('node', 'web'),
})

/** The checks of the header come first, then the encoding, then the size of the body, then the signature. */
function expectedOf({ delivery: { rules, header, body }, encoding, isTooLarge }: Request): string {
  const verdict = verdictOn(rules, body, header)
  const outcome = 'code' in verdict ? verdict.code : 'accepted'
  if (!['accepted', 'ERR_SIGNATURE_MISMATCH', 'ERR_BODY_NOT_JSON'].includes(outcome)) return outcome
  if (!/^\s*(?:identity)?\s*$/i.test(encoding ?? '')) return 'ERR_BODY_ENCODED'
  return isTooLarge ? 'ERR_BODY_TOO_LARGE' : outcome
}

/** The response to a refused delivery. */
function expectGeneric(error: WebhookError): void {
  if (error.status === 401) expect(error.code).toBe('ERR_DELIVERY_REFUSED')
  const { status, body } = node.problemOf(error)
  expect(status).toBe(error.status)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(JSON.parse(body)).toMatchObject({ title: expect.any(String) as string })
  expectNoKeys(`${body}${error.message}`)
}

it('runs the handler once for a valid delivery and never for another, and reports each refusal once', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { delivery, encoding, isTooLarge, runtime } = request
      const { rules, header, body } = delivery
      const hasStore = rules.toleranceSeconds < Infinity
      const rejections: string[] = []
      let handled = 0
      const receiver = runtimes[runtime].createReceiver<object>({
        ...optionsOf(rules),
        onRejected: ({ code }) => rejections.push(code),
        dispatcher: {
          dispatch() {
            handled++
            return Promise.resolve()
          },
        },
        // A store remembers a delivery as long as it is in the time window, so a store needs a tolerance.
        ...(hasStore && { replay: memoryReplayStore({ now: () => rules.now }) }),
      })
      const read = () => {
        if (isTooLarge) throw new WebhookError('ERR_BODY_TOO_LARGE')
        return body
      }
      const receive = () =>
        attempt(async () => {
          const reception = receiver.open({ request: {}, header, encoding })
          try {
            const delivery = await reception.checkHeader().verify(read())
            return await delivery.start()
          } catch (error) {
            throw await reception.refuse(error)
          }
        })

      const expected = expectedOf(request)
      const { value: status, error } = await receive()
      expect({ rejections, handled }).toEqual(
        expected === 'accepted' ? { rejections: [], handled: 1 } : { rejections: [expected], handled: 0 },
      )
      if (error !== undefined) {
        expectGeneric(error)
        return
      }
      expect(status).toBe(204)
      if (!hasStore) return
      expect((await receive()).value).toBe(200)
      expect(handled).toBe(1)
    }),
    runs(60, [
      { delivery: deliver(), encoding: 'identity', isTooLarge: false, runtime: 'node' },
      { delivery: deliver(), encoding: 'gzip', isTooLarge: false, runtime: 'web' },
    ]),
  )
})
