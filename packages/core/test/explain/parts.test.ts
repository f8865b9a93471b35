import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WebhookError } from '../../src/errors.js'
import type { HypothesisName } from '../../src/explain.js'
import type { Case } from '../../src/explain/case.js'
import { fromBase64, fromHex, toBase64, toHex } from '../../src/explain/encoding.js'
import { Evidence } from '../../src/explain/evidence.js'
import { ranked } from '../../src/explain/hypotheses.js'
import { LAYOUTS } from '../../src/explain/json/print.js'
import { JsonText } from '../../src/explain/json/text.js'
import { resultOf } from '../../src/explain/refusal.js'
import type { Version } from '../../src/versions.js'
import { explained } from './support/mistake.js'
import { event, secret } from './support/genuine.js'

function jsonOf(text: string): JsonText {
  return JsonText.of(Buffer.from(text))!
}

describe('encodings say what Node says', () => {
  it('of any bytes', () => {
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

  it.each(['', '=', '===', 'a', 'abcde', 'ab=c', 'a b!', '{}'])('%j is no base64', (text) => {
    expect(fromBase64(text)).toBeUndefined()
  })

  it.each(['', 'a', 'abc', '0x', 'gg'])('%j is no hex', (text) => {
    expect(fromHex(text)).toBeUndefined()
  })
})

describe('JSON taken apart', () => {
  it('is still there, with white space and all', () => {
    const text = ' { "a" : [ 1.50 , -0e1 ,true\t],\r\n"b\\u00e9\\"":\n{ } } '
    expect(jsonOf(text).respell({ says: [] })).toBe(text)
  })

  it('is not printed where its depth would make it too long', () => {
    const text = `${'['.repeat(200)}${'1,'.repeat(200)}1${']'.repeat(200)}`
    expect(LAYOUTS.map((layout) => jsonOf(text).print(layout) !== undefined)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('is nothing where it is no JSON, or nested too deep', () => {
    for (const text of ['', '{', '{"a":1,}', '['.repeat(513) + ']'.repeat(513)]) {
      expect(JsonText.of(Buffer.from(text))).toBeUndefined()
    }
  })
})

describe('what cannot be undone is left alone', () => {
  it.each([
    ['half of a surrogate pair', '\ud800 secret'],
    ['a percent sign that encodes nothing', '100% secret'],
    ['a brace that opens no JSON', '{secret'],
    ['JSON that holds no secret', '{"data":{"webhook_signature_secret":7}}'],
    ['JSON without data', '{"status":null}'],
    ['nothing but quotes', '""'],
    ['nothing but white space', ' \n'],
  ])('in a key: %s', async (_, key) => {
    const { report } = await explained({ body: event, options: { secret: key } })
    expect(report.hypotheses).toEqual([])
  })

  it.each([
    ['bytes beyond 255', '[1,256]'],
    ['a brace that opens no JSON', '{1,2}'],
    ['members that are no bodies', '{"body":7,"payload":null}'],
    ['Python bytes with what is none', "b'\u20ac'"],
    ['percent signs that encode nothing', 'a=%%'],
    ['one byte of UTF-16', '\0{'],
  ])('in a body: %s', async (_, body) => {
    const { report } = await explained({ body, options: { secret } })
    expect(report.hypotheses).toEqual([])
  })
})

describe('a bug is no refusal', () => {
  it('and is thrown on', () => {
    const refusal = new WebhookError('ERR_SIGNATURE_MISMATCH')
    const failing = (error: Error) => () => {
      throw error
    }
    expect(resultOf(failing(refusal))).toBe(refusal)
    expect(() => resultOf(failing(new TypeError('a bug')))).toThrow('a bug')
    expect(resultOf(() => 7)).toBe(7)
  })
})

describe('of several proofs', () => {
  const proof = (proven: readonly Version[], ...names: readonly HypothesisName[]) => ({
    steps: names.map((name) => ({ name, happened: name })),
    versions: proven,
    of: { listed: ['v3'], proven } as unknown as Case,
  })
  const order = (...proofs: readonly ReturnType<typeof proof>[]) => {
    const evidence = new Evidence()
    evidence.proofs.push(...proofs)
    return ranked(evidence).map(({ steps }) => steps.map(({ name }) => name).join())
  }

  it('the one that supposes least comes first, then the likeliest', () => {
    const two = proof(['v3'], 'key-white-space', 'key-quoted')
    expect(order(two, proof(['v3'], 'replay'), proof(['v3'], 'key-hex'))).toEqual([
      'key-hex',
      'replay',
      'key-white-space,key-quoted',
    ])
  })

  it('those that explain all that is required leave out the others', () => {
    expect(order(proof(['v2'], 'key-quoted'), proof(['v3'], 'replay'))).toEqual(['replay'])
    expect(order(proof(['v2'], 'replay'), proof(['v1'], 'key-quoted'))).toEqual(['key-quoted', 'replay'])
  })
})
