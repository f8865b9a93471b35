import { verifySync } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { Endpoint } from './support/endpoint.js'
import { serveExpress } from './support/serve-express.js'
import { Service } from './support/service.js'

/** Endpoints in Express: two parse the body and print it again before they verify it, one uses the adapter. */
async function startMerchant(secret: string) {
  const accepted: string[] = []
  const refused: string[] = []
  const app = express()
  app.post('/wrong', express.json(), (req, res) => {
    try {
      verifySync(JSON.stringify(req.body), req.get('Service-Signature'), { secret })
      accepted.push('wrong')
      res.sendStatus(204)
    } catch (error) {
      refused.push((error as { code: string }).code)
      res.sendStatus(401)
    }
  })
  app.post('/right', serviceSignature({ secret }), (_req, res) => {
    accepted.push('right')
    res.sendStatus(204)
  })
  return { url: await serveExpress(app), accepted, refused }
}

describe('The style of bodies', () => {
  it('an Express endpoint that verifies JSON.stringify(req.body) fails at the first payment; the adapter accepts it', async () => {
    const service = await Service.start()
    const { url, accepted, refused } = await startMerchant(service.sandbox.secret)
    for (const path of ['/wrong', '/right']) {
      await service.pay((await service.intent({ amount: 10.5, webhook_url: url + path })).data.id)
      await service.sandbox.idle()
    }
    expect(refused).toEqual(['ERR_SIGNATURE_MISMATCH', 'ERR_SIGNATURE_MISMATCH'])
    expect(accepted).toEqual(['right', 'right'])
  })

  it('with bodyStyle ecmascript, the wrong endpoint goes unnoticed', async () => {
    const service = await Service.start({ bodyStyle: 'ecmascript' })
    const { url, accepted, refused } = await startMerchant(service.sandbox.secret)
    await service.pay((await service.intent({ amount: 10, webhook_url: `${url}/wrong` })).data.id)
    await service.sandbox.idle()
    expect({ accepted, refused }).toEqual({ accepted: ['wrong', 'wrong'], refused: [] })
  })

  it('prints whole amounts with .0, escapes beyond ASCII, no spaces outside strings, and whole custom fields as they are', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const custom_fields = { count: 3, city: 'T\u00fcri' }
    const fields = { amount: 10, custom_fields, webhook_url: endpoint.url }
    await service.pay((await service.intent(fields)).data.id)
    await service.sandbox.idle()
    const [first, second] = endpoint.received.map(({ bytes }) => bytes.toString())
    expect(first).toContain('"custom_fields":{"count":3,"city":"T\\u00fcri"}')
    expect(first!.match(/"amount":\{"value":10\.0,"currency":"EUR"\}/g)).toHaveLength(2)
    expect(second).toContain('"amount":10.0,"amount_currency":"EUR"')
    for (const body of [first!, second!]) {
      expect(body).toMatch(/^[!-~ ]+$/)
      expect(body.replace(/"(?:[^"\\]|\\.)*"/g, '')).not.toContain(' ')
    }
  })
})
