import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WebhookError, type Version } from '@service-signature/core'
import { fromBase64, fromHex, ifValid, toBase64, toHex } from '../src/read/encodings.js'
import type { State } from '../src/rules/fault-rule.js'
import { Findings } from '../src/search/findings.js'
import type { HypothesisName } from '../src/index.js'
import { JsonText, LAYOUTS } from '../src/read/json-text.js'
import { explained } from './support/mistake.js'
import { event, secret } from './support/genuine.js'

function jsonOf(text: string): JsonText {
  return JsonText.of(Buffer.from(text))!
}

describe('encodings give the same results as Node', () => {
  it('for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        const buffer = Buffer.from(bytes)
        expect(toBase64(bytes)).toBe(buffer.toString('base64'))
        expect(toHex(bytes)).toBe(buffer.toString('hex'))
        fc.pre(bytes.length > 0)
        for (const encoding of ['base64', 'base64url'] as const) {
          expect(fromBase64(buffer.toString(encoding))).toEqual(bytes)
        }
        expect(fromHex(buffer.toString('hex').toUpperCase())).toEqual(bytes)
      }),
    )
  })

  it.each(['', '=', '===', 'a', 'abcde', 'ab=c', 'a b!', '{}'])('%j is not base64', (text) => {
    expect(fromBase64(text)).toBeUndefined()
  })

  it.each(['', 'a', 'abc', '0x', 'gg'])('%j is not hex', (text) => {
    expect(fromHex(text)).toBeUndefined()
  })
})

describe('a parsed JSON text', () => {
  it('prints the same text, including its white space', () => {
    const text = ' { "a" : [ 1.50 , -0e1 ,true\t],\r\n"b\\u00e9\\"":\n{ } } '
    expect(jsonOf(text).restyle({ says: [] })).toBe(text)
  })

  it('is not printed if its depth would make it too long', () => {
    const text = `${'['.repeat(200)}${'1,'.repeat(200)}1${']'.repeat(200)}`
    expect(LAYOUTS.map((layout) => jsonOf(text).print(layout) !== undefined)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('is undefined if it is not JSON, or nested too deep', () => {
    for (const text of ['', '{', '{"a":1,}', '['.repeat(513) + ']'.repeat(513)]) {
      expect(JsonText.of(Buffer.from(text))).toBeUndefined()
    }
  })
})

describe('a fault that cannot be undone is ignored', () => {
  it.each([
    ['half of a surrogate pair', '\ud800 secret'],
    ['a percent sign that encodes nothing', '100% secret'],
    ['a brace that opens no JSON', '{secret'],
    ['JSON that holds no secret', '{"data":{"webhook_signature_secret":7}}'],
    ['JSON without data', '{"status":null}'],
    ['only quotes', '""'],
    ['only white space', ' \n'],
  ])('in a key: %s', async (_, key) => {
    const { report } = await explained({ body: event, options: { secret: key } })
    expect(report.hypotheses).toEqual([])
  })

  it.each([
    ['bytes beyond 255', '[1,256]'],
    ['a brace that opens no JSON', '{1,2}'],
    ['members that are not bodies', '{"body":7,"payload":null}'],
    ['Python bytes with a character beyond ASCII', "b'\u20ac'"],
    ['percent signs that encode nothing', 'a=%%'],
    ['one byte of UTF-16', '\0{'],
    ['a size of a chunk without chunks after it', '3\r\nabc\r\nno size'],
    ['entities of no character', '&#0; &nope; &Xuml;'],
    ['keys with escapes in camelCase', '{"camelCase":1,"\\u00E9A":{}}'],
  ])('in a body: %s', async (_, body) => {
    const { report } = await explained({ body, options: { secret } })
    expect(report.hypotheses).toEqual([])
  })
})

describe('an invalid input', () => {
  const failing = (error: Error) => (): unknown => {
    throw error
  }

  it('gives undefined, and a bug is rethrown', () => {
    expect(ifValid(failing(new WebhookError('ERR_SIGNATURE_MISMATCH')))).toBeUndefined()
    expect(ifValid(() => JSON.parse('{') as unknown)).toBeUndefined()
    expect(() => ifValid(failing(new TypeError('a bug')))).toThrow('a bug')
    expect(ifValid(() => 7)).toBe(7)
  })
})

describe('among several findings', () => {
  const add = (findings: Findings, proven: readonly Version[], ...names: readonly HypothesisName[]) => {
    const faults = names.map((name) => ({ name, happened: name }))
    findings.add({ listed: ['v3'], proven, faults } as unknown as State, proven)
  }
  const order = (findings: Findings) =>
    findings.ranked.map(({ state }) => state.faults.map(({ name }) => name).join())

  it('the one with the fewest faults comes first, then the likeliest', () => {
    const findings = new Findings()
    add(findings, ['v3'], 'key-white-space', 'key-quoted')
    add(findings, ['v3'], 'replay')
    add(findings, ['v3'], 'key-hex')
    expect(order(findings)).toEqual(['key-hex', 'replay', 'key-white-space,key-quoted'])
  })

  it('those that explain every required version exclude the others', () => {
    const findings = new Findings()
    add(findings, ['v2'], 'key-quoted')
    expect(order(findings)).toEqual(['key-quoted'])
    add(findings, ['v1'], 'body-quoted')
    expect(order(findings)).toEqual(['key-quoted', 'body-quoted'])
    add(findings, ['v3'], 'replay')
    expect(order(findings)).toEqual(['replay'])
  })
})
