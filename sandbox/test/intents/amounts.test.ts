import { describe, expect, it } from 'vitest'
import { Endpoint, fieldOf } from '../support/endpoint.js'
import { Service } from '../support/service.js'

describe('The amount of an intent', () => {
  // By ISO 4217, and where people write other decimals or `Intl` does not know the code.
  it.each([
    [0, 'CLP ISK JPY KRW PYG RWF UGX VND VUV XAF XOF XPF'],
    [2, 'AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SOS SYP YER RSD EUR USD'],
    [2, 'XCG ZWG VED SLE'],
    [3, 'BHD IQD JOD KWD LYD OMR TND'],
  ])('has at most %i decimals in %s', async (decimals, codes) => {
    const service = await Service.start()
    const smallest = Number(`1e-${decimals}`)
    const tooSmall = Number(`1.${'0'.repeat(decimals)}1`)
    const problem = { amount: `must have at most ${decimals} decimals in this currency` }
    for (const amount_currency of codes.split(' ')) {
      for (const amount of [smallest, 1 + smallest])
        expect((await service.intent({ amount, amount_currency })).code, amount_currency).toBe(200)
      await service.refuses(() => service.intent({ amount: tooSmall, amount_currency }), 400, problem)
    }
  })

  it('cannot be in what is not a currency of today', async () => {
    const service = await Service.start()
    const codes = 'ANG BGN HRK ZWL XAU XDR XTS XXX CLF USN XQZ eur EURO __proto__'
    for (const amount_currency of [...codes.split(' '), ''])
      await service.refuses(() => service.intent({ amount_currency }), 400, {
        amount_currency: 'must be the code of a currency, such as EUR',
      })
  })

  it.each([
    ['0', 'EUR', 'must be above 0'],
    ['-1', 'EUR', 'must be above 0'],
    ['90071992547409.91', 'EUR', 'is too large to be exact to the last decimal'],
    ['90071992547409.01', 'EUR', 'is too large to be exact to the last decimal'],
    ['9007199254740.991', 'KWD', 'is too large to be exact to the last decimal'],
    ['90071992547410', 'EUR', 'is too large'],
    ['9007199254740992', 'JPY', 'is too large'],
  ])('%s %s is refused', async (amount, amount_currency, problem) => {
    const service = await Service.start()
    const call = () => service.intent({ amount: Number(amount), amount_currency })
    await service.refuses(call, 400, { amount: problem })
  })

  it.each([
    [9_999_999_999_999.99, 'EUR', '9999999999999.99'],
    [90_071_992_547_409, 'EUR', '90071992547409.00'],
    [999_999_999_999.999, 'KWD', '999999999999.999'],
    [9_007_199_254_740_991, 'JPY', '9007199254740991'],
    [1234.5, 'HUF', '1234.50'],
    [0.07, 'EUR', '0.07'],
    [1.1, 'USD', '1.10'],
    [10.123, 'KWD', '10.123'],
    [0.001, 'IQD', '0.001'],
  ])('%d %s is the same in every place of both events', async (amount, amount_currency, text) => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent({ amount, amount_currency, webhook_url: endpoint.url })).data
    await service.pay(id)
    await service.sandbox.drained()
    const [first, second] = endpoint.events
    for (const path of ['intent.amount', 'transaction.operations.0.amount'])
      expect(fieldOf(first, path)).toEqual({ value: amount, currency: amount_currency })
    expect(fieldOf(second, 'data.intent')).toMatchObject({
      amount,
      amount_currency,
      active_transaction: { amount: text, amount_currency },
      transactions_history: [{ amount: text, amount_currency }],
    })
    // As text, because a number of JavaScript hides what was printed.
    const printed = text.replace(/\.?0+$/, '')
    const numbers = endpoint.received[0]!.bytes.toString().matchAll(/"value":([\d.]+)/g)
    const shown = [...numbers].map(([, number]) => number!.replace(/\.0$/, ''))
    expect(shown).toEqual(amount_currency === 'JPY' ? [text, text] : [printed, printed])
  })
})
