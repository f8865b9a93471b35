import { describe, expect, it } from 'vitest'
import { holds } from '../support/holds.js'
import { Service, SIGNATURE_KEY } from '../support/service.js'

describe('Secret endpoint', () => {
  it('answers with the signing secret, in the documented envelope', holds('secret-response'), async () => {
    const service = await Service.start()
    const { code, text } = await service.get(SIGNATURE_KEY)
    expect(code).toBe(200)
    expect(JSON.parse(text)).toEqual({
      status: { code: 200, message: 'OK', errors: [] },
      data: { webhook_signature_secret: service.sandbox.secret },
      count: 1,
      next: null,
      previous: null,
    })
  })

  it(
    'the secret does not change: every key gets the same, every time',
    holds('secret-constant'),
    async () => {
      const service = await Service.start()
      for (const key of [
        service.sandbox.apiKeys.account,
        service.composite(false),
        service.composite(true),
      ]) {
        expect((await service.get(SIGNATURE_KEY, key)).data.webhook_signature_secret).toBe(
          service.sandbox.secret,
        )
      }
    },
  )
})
