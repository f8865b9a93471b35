import { describe, expect, it } from 'vitest'
import { Endpoint } from './support/endpoint.js'
import { Service } from './support/service.js'

/** By ISO 4217, and where people write other decimals or `Intl` does not know the code. */
const DECIMALS: readonly (readonly [decimals: number, codes: string])[] = [
  [0, 'CLP ISK JPY KRW PYG RWF UGX VND VUV XAF XOF XPF'],
  [2, 'AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SOS SYP YER RSD EUR USD'],
  [2, 'XCG ZWG VED SLE'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
]
const CASES = DECIMALS.flatMap(([decimals, codes]) =>
  codes.split(' ').map((code) => [code, decimals] as const),
)

async function errorOf(service: Service, amount: number, amount_currency: string): Promise<unknown> {
  const { code, status } = await service.intent({ amount, amount_currency })
  expect(code).toBe(status.errors.length === 0 ? 200 : 400)
  return status.errors[0]
}

describe('The amount of an intent', () => {
  it.each(CASES)('in %s has at most %i decimals', async (currency, decimals) => {
    const service = await Service.start()
    const smallest = Number(`1e-${decimals}`)
    expect(await errorOf(service, smallest, currency)).toBeUndefined()
    expect(await errorOf(service, 1 + smallest, currency)).toBeUndefined()
    const smaller = Number(`1.${'0'.repeat(decimals)}1`)
    const problem = `must have at most ${decimals} decimals in this currency`
    expect(await errorOf(service, smaller, currency)).toEqual({ amount: problem })
  })

  it.each([
    'ANG',
    'BGN',
    'HRK',
    'ZWL',
    'XAU',
    'XDR',
    'XTS',
    'XXX',
    'CLF',
    'USN',
    'eur',
    'EURO',
    '',
    '__proto__',
  ])('cannot be in %j, which is not a currency of today', async (currency) => {
    const service = await Service.start()
    const problem = 'must be the code of a currency, such as EUR'
    expect(await errorOf(service, 10, currency)).toEqual({ amount_currency: problem })
  })

  it.each([
    ['90071992547409.91', 'EUR', 'is too large to be exact to the last decimal'],
    ['90071992547409.01', 'EUR', 'is too large to be exact to the last decimal'],
    ['9007199254740.991', 'KWD', 'is too large to be exact to the last decimal'],
    ['90071992547410', 'EUR', 'is too large'],
    ['9007199254740992', 'JPY', 'is too large'],
  ])('%s %s is refused', async (amount, currency, problem) => {
    const service = await Service.start()
    expect(await errorOf(service, Number(amount), currency)).toEqual({ amount: problem })
  })

  it.each([
    [9_999_999_999_999.99, 'EUR', '9999999999999.99'],
    [90_071_992_547_409, 'EUR', '90071992547409.00'],
    [999_999_999_999.999, 'KWD', '999999999999.999'],
    [9_007_199_254_740_991, 'JPY', '9007199254740991'],
    [1234.5, 'HUF', '1234.50'],
    [0.001, 'IQD', '0.001'],
  ])('%d %s is the same in every place of both events', async (amount, amount_currency, text) => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const { id } = (await service.intent({ amount, amount_currency, webhook_url: endpoint.url })).data
    await service.pay(id)
    await service.sandbox.drained()
    const [first, second] = endpoint.events as unknown as readonly {
      readonly intent: { readonly amount: unknown }
      readonly transaction: { readonly operations: readonly { readonly amount: unknown }[] }
      readonly data: { readonly intent: Readonly<Record<string, unknown>> }
    }[]
    expect(first!.intent.amount).toEqual({ value: amount, currency: amount_currency })
    expect(first!.transaction.operations[0]!.amount).toEqual({ value: amount, currency: amount_currency })
    const { intent } = second!.data
    expect(intent).toMatchObject({
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
