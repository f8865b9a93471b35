import { describe, expect, it } from 'vitest'
import { event, secret } from '../support/genuine.js'
import { explained } from '../support/mistake.js'

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
