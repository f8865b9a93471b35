import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { intentEvent, printBody, transactionEvent } from '../../src/entries/testing.js'
import { isMissing } from '../../../../test/contract/src/services.js'

/** Python, unlike JavaScript, distinguishes floats: it reads 10.0 as a float, and prints it as 10.0. */
function printedByPython(body: string): string {
  const program =
    'import json, sys; sys.stdout.write(json.dumps(json.load(sys.stdin), separators=(",", ":")))'
  return spawnSync('python3', ['-c', program], { input: body, encoding: 'utf8' }).stdout
}

const custom_fields = {
  text: 'f\u00fcr \u{1f600} \u2028 \u007f \\ "quoted" /slash/ \n\t\b\f\r\u0001',
  '\u00e4': [0, -1, 1.5, 1e16, 1e21, 1e-5, 0.0001, 123456789012345680000, true, null, '', {}, []],
  amount: 3,
  value: 4,
}

describe.skipIf(isMissing('python'))('printBody', () => {
  it.each([0.5, 10, 10.5, 50.25, 1e15, 1e16, 1e22])('prints events as Python does, amount %d', (value) => {
    const transaction = transactionEvent({
      intent: { amount: { value }, custom_fields },
      transaction: {
        operations: [{ status: 'successful', amount: { value, currency: 'EUR' } }],
        billing_data: { first_name: '\u00c5sa' },
      },
    })
    const intent = intentEvent({ data: { intent: { amount: value, custom_fields } } })
    for (const payload of [transaction, intent]) {
      const body = printBody(payload)
      expect(body).toBe(printedByPython(body))
      expect(JSON.parse(body)).toEqual(payload)
    }
  })

  it.each([
    [10, '10.0'],
    [10.5, '10.5'],
    [1e16, '1e+16'],
  ])('prints the amount %d as the float %s, and other whole numbers without a point', (value, text) => {
    const body = printBody(
      transactionEvent({
        intent: { amount: { value }, custom_fields: { amount: { value: 7 } } },
        transaction: { operations: [{ status: 'successful', amount: { value, currency: 'EUR' } }] },
      }),
    )
    expect(body.match(/"amount":\{"value":([^,}]+)/g)).toEqual([
      '"amount":{"value":7',
      `"amount":{"value":${text}`,
      `"amount":{"value":${text}`,
    ])
    const intent = intentEvent({ data: { intent: { amount: value } } })
    expect(printBody(intent)).toContain(`"amount":${text},"amount_currency"`)
  })

  it('prints in the style of JSON.stringify on request', () => {
    const payload = transactionEvent({ intent: { amount: { value: 10 }, custom_fields } })
    expect(printBody(payload, 'ecmascript')).toBe(JSON.stringify(payload))
  })

  it('rejects a style that does not exist', () => {
    expect(() => printBody({}, 'ruby' as never)).toThrow('"bodyStyle" must be one of python, ecmascript')
  })
})
