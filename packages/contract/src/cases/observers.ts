import { createVerifier, WebhookError } from '@service-signature/core'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Host, Setup } from '../host.js'
import {
  apiKey,
  delivery,
  deliverySigned,
  now,
  secret,
  sign,
  timestamp,
  transaction,
} from '../support/deliveries.js'
import { serve, type Endpoint } from '../support/endpoint.js'

const forged = deliverySigned(sign(transaction, { secret: 'another_key' }))

const failingHooks = [
  [
    'throws',
    () => {
      throw new Error('the hook failed')
    },
  ],
  ['rejects', () => Promise.reject(new Error('the hook failed'))],
] as const

export function observers(host: Host): void {
  describe('a hook', () => {
    it('is told of each verified delivery once, before it is handled', async () => {
      const seen: unknown[] = []
      const endpoint = await serve(host, {
        options: { onVerified: (webhook, { request }) => seen.push(webhook, typeof request) },
        handler: () => seen.push('handled'),
      })
      const webhook = await endpoint.accepts(delivery())
      expect(seen).toEqual([webhook, 'object', 'handled'])
      await endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')
      expect(seen).toHaveLength(3)
    })

    it('is told the true reason of each refusal once', async () => {
      const onRejected = vi.fn<NonNullable<Setup['options']['onRejected']>>()
      const endpoint = await serve(host, { options: { onRejected } })
      await endpoint.accepts(delivery())
      expect(onRejected).not.toHaveBeenCalled()
      await endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')
      expect(onRejected).toHaveBeenCalledOnce()
      const [error, { request }] = onRejected.mock.lastCall!
      expect(WebhookError.is(error)).toBe(true)
      expect(request).toBeTypeOf('object')
    })

    it('can have a refusal explained', async () => {
      const findings: string[] = []
      const endpoint = await serve(host, {
        options: {
          onRejected: async (_error, { explain }) => findings.push((await explain()).finding),
        },
      })
      // As a forwarder sends it that parses and prints.
      const body = JSON.stringify(JSON.parse(transaction.toString()), null, 2)
      await endpoint.refuses(
        delivery({ body: Buffer.from(body), signature: [sign(transaction)] }),
        'ERR_SIGNATURE_MISMATCH',
      )
      await endpoint.refuses(deliverySigned(), 'ERR_SIGNATURE_MISSING')
      await expect.poll(() => findings).toHaveLength(2)
      expect(findings.find((finding) => finding.includes('[body-re'))).toBeDefined()
      expect(findings.find((finding) => finding.includes('no Service-Signature header'))).toBeDefined()
    })

    it('can have a body explained that is no JSON', async () => {
      const reports: unknown[] = []
      const endpoint = await serve(host, {
        options: {
          versions: ['v2'],
          onRejected: async (_error, { explain }) => reports.push(await explain()),
        },
      })
      const signature = [sign(transaction, { versions: ['v2'] })]
      const body = transaction.subarray(0, -1)
      await endpoint.refuses(delivery({ body, signature }), 'ERR_BODY_NOT_JSON')
      await expect.poll(() => reports).toHaveLength(1)
      expect(reports).toEqual([expect.objectContaining({ code: 'ERR_BODY_NOT_JSON', ok: false })])
      expect(reports).not.toContainEqual(expect.objectContaining({ checks: [] }))
    })

    it.each(failingHooks)('that %s changes no answer, and the operator is warned', async (_how, fail) => {
      const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
      onTestFinished(() => {
        warn.mockRestore()
      })
      for (const [name, send] of [
        ['onVerified', (endpoint) => endpoint.accepts(delivery())],
        ['onRejected', (endpoint) => endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')],
      ] as const satisfies readonly (readonly [string, (endpoint: Endpoint) => Promise<unknown>])[]) {
        warn.mockClear()
        const endpoint = await serve(host, { options: { [name]: fail } })
        await send(endpoint)
        await send(endpoint)
        expect(warn).toHaveBeenCalledOnce()
        expect(warn.mock.lastCall![0]).toContain(name)
      }
    })
  })

  describe('the diagnostics channel', () => {
    it('tells of an accepted delivery', async () => {
      const reports = reportsOfThisTest()
      const endpoint = await serve(host)
      await endpoint.accepts(deliverySigned(sign(transaction, { timestamp: timestamp - 2 })))
      expect(reports).toEqual([
        {
          outcome: 'accepted',
          versions: ['v3'],
          ageSeconds: 2,
          bodyBytes: transaction.length,
          durationMs: expect.any(Number) as number,
        },
      ])
    })

    it('tells of each rejected delivery, and why', async () => {
      const reports = reportsOfThisTest()
      const endpoint = await serve(host)
      await endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')
      await endpoint.refuses(deliverySigned(), 'ERR_SIGNATURE_MISSING')
      const durationMs = expect.any(Number) as number
      expect(reports).toEqual([
        {
          outcome: 'rejected',
          code: 'ERR_SIGNATURE_MISMATCH',
          ageSeconds: 0,
          bodyBytes: transaction.length,
          durationMs,
        },
        { outcome: 'rejected', code: 'ERR_SIGNATURE_MISSING', durationMs },
      ])
    })

    it('carries nothing sensitive', async () => {
      const reports = reportsOfThisTest()
      const versions = ['v1', 'v3'] as const
      const endpoint = await serve(host, { options: { secret, apiKey, versions } })
      const signature = sign(transaction, { versions })
      await endpoint.accepts(deliverySigned(signature))
      await endpoint.refuses(
        delivery({ signature: [signature.replace(/.$/, '!')] }),
        'ERR_SIGNATURE_MALFORMED',
      )
      const text = JSON.stringify(reports)
      for (const word of [secret, apiKey, ...signature.match(/[0-9a-f]{64}/g)!, 'Jane', 'int_']) {
        expect(text).not.toContain(word)
      }
    })
  })

  it('a verifier can be shared by two endpoints', async () => {
    const verifier = createVerifier({ secret, now })
    for (const endpoint of [
      await serve(host, { options: { verifier } }),
      await serve(host, { options: { verifier, bodyLimit: transaction.length } }),
    ]) {
      await endpoint.accepts(delivery())
      await endpoint.refuses(forged, 'ERR_SIGNATURE_MISMATCH')
    }
  })
}

function reportsOfThisTest(): readonly unknown[] {
  const reports: unknown[] = []
  const listener = (report: unknown) => reports.push(report)
  subscribe('service-signature:delivery', listener)
  onTestFinished(() => {
    unsubscribe('service-signature:delivery', listener)
  })
  return reports
}
