import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { answerLine, answerText } from '../src/answer-text.js'

const TEXT = 'Signature non valid\u00e9e'

describe('answerText', () => {
  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('decodes %s, also without its end', (encoding, compress) => {
    const headers = { 'content-encoding': encoding }
    expect(answerText(headers, compress(TEXT))).toBe(TEXT)
    const long = createHash('shake256', { outputLength: 9000 }).update('').digest('hex')
    const cut = compress(long).subarray(0, 5000)
    expect(answerText(headers, cut).slice(0, 4096)).toBe(long.slice(0, 4096))
  })

  it.each([
    ['text/plain; charset=iso-8859-1', 'latin1'],
    ['text/plain; charset="utf-16le"', 'utf16le'],
    ['text/plain; charset=unknown', 'utf8'],
    [undefined, 'utf8'],
  ] as const)('reads the charset of %s', (type, encoding) => {
    const headers = type === undefined ? {} : { 'content-type': type }
    expect(answerText(headers, Buffer.from(TEXT, encoding))).toBe(TEXT)
  })

  it('reads as it is what cannot be decoded', () => {
    for (const encoding of ['gzip', 'zip']) {
      expect(answerText({ 'content-encoding': encoding }, Buffer.from('no'))).toBe('no')
    }
  })
})

describe('answerLine', () => {
  it.each([
    ['', undefined],
    [' \n ', undefined],
    ['bad signature\nat line 1', 'bad signature'],
    ['\u001b[31mno\u0007\u202e', '[31mno'],
    ['x'.repeat(300), `${'x'.repeat(197)}...`],
    ['{"title":"Unauthorized","detail":"The t is old","status":401}', 'The t is old'],
    ['{"statusCode":403,"error":"Forbidden","message":"No such account"}', 'No such account'],
    ['{"message":["amount must be a string","other"],"error":"Bad Request"}', 'amount must be a string'],
    ['{"error":{"code":7,"message":"no"}}', 'no'],
    ['{"errors":[{"message":"","title":"no"}]}', 'no'],
    ['"no"', 'no'],
    ['{"ok":false}', '{"ok":false}'],
    [
      '{"error":{"error":{"error":{"error":"too deep"}}}}',
      '{"error":{"error":{"error":{"error":"too deep"}}}}',
    ],
    [
      '<pre>TypeError: &quot;a&quot; &#39;b&#x27; &nope; &#x110000;<br> &nbsp; at x</pre>',
      `TypeError: "a" 'b' &nope; &#x110000;`,
    ],
    [
      '<html><head><title>Error</title><style>a{}</style></head><body><h1>No</h1>\n<p>Go</p><script>x',
      'No Go',
    ],
    ['<title>Page Expired</title><body></body>', 'Page Expired'],
    ['<svg', undefined],
  ])('of %j is %j', (text, line) => {
    expect(answerLine(text)).toBe(line)
  })

  it('takes time in proportion to a hostile page', () => {
    for (const text of ['<'.repeat(4096), '<head'.repeat(800), '<pre>'.repeat(800), '&#'.repeat(2000)])
      expect(answerLine(text)?.length ?? 0).toBeLessThanOrEqual(200)
  })
})
