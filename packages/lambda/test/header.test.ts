import { describe, expect, it } from 'vitest'
import { deliveryOf, sign, timestamp, watched } from './support/deliveries.js'
import { withSignature } from './support/headers.js'
import { recorded } from './support/origins.js'

describe('a header that was sent twice', () => {
  const body = Buffer.from(recorded('load-balancer').body!)
  const genuine = sign(body)
  const other = `t=${timestamp},v3=${'a'.repeat(64)}`
  const rest = recorded('api-gateway-rest')
  const lower = { 'service-signature': [genuine] }

  it.each<[what: string, event: object]>([
    [
      'of which format 1.0 keeps only the last in "headers"',
      {
        ...withSignature(rest, genuine),
        multiValueHeaders: { ...rest.multiValueHeaders, 'Service-Signature': [other, genuine] },
      },
    ],
    [
      'with names that differ in case, which a REST API keeps apart',
      { ...rest, multiValueHeaders: { ...rest.multiValueHeaders, ...lower } },
    ],
    [
      'with names that differ in case, without lists',
      {
        ...rest,
        multiValueHeaders: null,
        headers: { ...rest.headers, 'service-signature': genuine },
      },
    ],
    ['and joined by format 2.0', withSignature(recorded('api-gateway-http-2.0'), `${other},${genuine}`)],
    [
      'and listed by a load balancer',
      {
        ...recorded('load-balancer-multi-value'),
        multiValueHeaders: { 'service-signature': [genuine, genuine] },
      },
    ],
  ])('%s is malformed', async (_what, event) => {
    const { outcomeOf } = watched()
    const refusals = ['ERR_SIGNATURE_MALFORMED']
    expect(await outcomeOf(event)).toEqual({ statusCode: 400, refusals, handled: 0 })
  })
})

describe('a header', () => {
  const rest = recorded('api-gateway-rest')

  it.each<[what: string, event: object]>([
    [
      'is found in "headers" if the lists do not have it',
      { ...rest, multiValueHeaders: { Accept: ['*/*'] } },
    ],
    ['is found in "headers" if there are no lists', { ...rest, multiValueHeaders: null }],
    ['is found in the lists if there are no "headers"', { ...rest, headers: null }],
  ])('%s', async (_what, event) => {
    const { outcomeOf } = watched()
    expect(await outcomeOf(event)).toEqual({ statusCode: 204, refusals: [], handled: 1 })
  })

  it.each<[what: string, event: object]>([
    ['nowhere, as in a test of the console', { ...rest, headers: null, multiValueHeaders: null }],
    ['without a value', deliveryOf(Buffer.from('{}'), { headers: { 'service-signature': undefined } })],
    [
      "in a load balancer's check of health",
      { ...recorded('load-balancer'), httpMethod: 'GET', headers: { 'user-agent': 'ELB-HealthChecker/2.0' } },
    ],
  ])('%s is missing', async (_what, event) => {
    const { outcomeOf } = watched()
    const refusals = ['ERR_SIGNATURE_MISSING']
    expect(await outcomeOf(event)).toEqual({ statusCode: 401, refusals, handled: 0 })
  })
})
