import { describe, expect, it } from 'vitest'
import { guardedEndpoint, reprintingEndpoint } from '../support/express-endpoints.js'
import { Service, startWithEndpoint } from '../support/service.js'

describe('The style of bodies', () => {
  it('fails an endpoint that verifies JSON.stringify(req.body) at the first payment, and not the adapter', async () => {
    const service = await Service.start()
    const { secret } = service.sandbox
    const [wrong, right] = [await reprintingEndpoint(secret), await guardedEndpoint({ secret })]
    for (const { url } of [wrong, right]) await service.sent(url, { amount: 10.5 })
    expect(wrong.handled).toEqual([])
    expect(right.handled).toHaveLength(2)
  })

  it('with bodyStyle ecmascript lets that endpoint go unnoticed', async () => {
    const service = await Service.start({ bodyStyle: 'ecmascript' })
    const wrong = await reprintingEndpoint(service.sandbox.secret)
    await service.sent(wrong.url)
    expect(wrong.handled).toHaveLength(2)
  })

  it('has whole amounts with .0, escapes beyond ASCII, no spaces outside strings, and whole custom fields as they are', async () => {
    const { service, endpoint } = await startWithEndpoint()
    await service.sent(endpoint.url, { custom_fields: { count: 3, city: 'T\u00fcri' } })
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
