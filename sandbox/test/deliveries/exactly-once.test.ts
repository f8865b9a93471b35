import { fetchSecret, memoryReplayStore } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import express from 'express'
import { createHash } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { runs } from '../../../packages/core/test/support/runs.js'
import { serveExpress } from '../support/serve-express.js'
import { Service } from '../support/service.js'

const AT_ONCE = 50
// PROPERTY_FACTOR=20 makes them the thousand for which the seed is known.
const INTENT_COUNT = Math.min(1000, Math.max(AT_ONCE, runs(50)))
/** With this seed no delivery has a fault in more than four of its six attempts, so none dies by chance. */
const SEED = 'b'

it(`${INTENT_COUNT} paid intents are ${2 * INTENT_COUNT} deliveries, each handled exactly once under every fault`, async () => {
  const service = await Service.start({ seed: SEED, timeScale: 1000 }, 'real time')
  const apiKey = service.sandbox.apiKeys.account
  const secret = fetchSecret({ baseUrl: service.sandbox.url, apiKey })
  onTestFinished(() => {
    secret.close()
  })
  const handled = new Map<string, number>()
  const refusals = new Map<string, number>()
  const seen = new Set<string>()

  const app = express()
  const guard = serviceSignature({
    secret,
    apiKey,
    versions: ['v1', 'v2', 'v3'],
    replay: memoryReplayStore(),
    onRejected({ code }) {
      refusals.set(code, (refusals.get(code) ?? 0) + 1)
    },
  })
  app.post('/webhooks', guard, (req, res) => {
    const digest = createHash('sha256').update(req.webhook!.rawBody).digest('hex')
    // Now and then the merchant's own database is down.
    if (!seen.has(digest) && seen.add(digest).size % 20 === 0) {
      res.sendStatus(503)
      return
    }
    handled.set(digest, (handled.get(digest) ?? 0) + 1)
    res.sendStatus(204)
  })
  const webhook_url = `${await serveExpress(app)}/webhooks`

  await service.faults({
    deliveries: { duplicate: true, reorder: true, delayMs: 3, tamper: true, stale: true },
    secretEndpoint: { mode: 'error' },
    chance: 0.1,
  })
  for (let i = 0; i < INTENT_COUNT; i += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, j) => service.order(webhook_url, { amount: i + j + 1 })),
    )
    // Else more and more would wait for an answer, and on a busy machine some of them for more than 10 s.
    await service.sandbox.drained()
  }

  const { data } = await service.get('/_sandbox/overview/')
  expect(data['counts']).toMatchObject({ pending: 0, delivered: 2 * INTENT_COUNT, dead: 0, lost: 0 })
  expect([...handled.values()]).toEqual(Array.from({ length: 2 * INTENT_COUNT }, () => 1))
  // The faults did happen.
  expect(refusals.get('ERR_SIGNATURE_MISMATCH')).toBeGreaterThan(INTENT_COUNT / 10)
  expect(refusals.get('ERR_TIMESTAMP_TOO_OLD')).toBeGreaterThan(INTENT_COUNT / 10)
})
