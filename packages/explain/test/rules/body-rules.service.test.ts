import { describe, expect, it } from 'vitest'
import { accented, accentedHeader, secret, signed, t } from '../support/genuine.js'
import { expectFound } from '../support/mistake.js'
import { python } from '../support/places.js'
import { isMissing } from '../../../../test/contract/src/services.js'

const compact = '{"type":"intent.processed","amount":7,"note":"a b"}'
const compactHeader = signed(compact, '{"amount":7,"note":"ab","type":"intent.processed"}')

describe.skipIf(isMissing('python'))('bodies that Python has printed', () => {
  const dumps = (args: string) => `import json,sys; sys.stdout.write(json.dumps(json.load(sys.stdin)${args}))`

  it.each([
    ['json.dumps', ''],
    ['json.dumps without escapes', ', ensure_ascii=False'],
    ['json.dumps, compact', ', separators=(",", ":")'],
  ])('body-not-verbatim: %s in a forwarder', async (_, args) => {
    const sent = '{"name":"Zo\u00eb","price": 7.5,"count":3}'
    const value = signed(sent, '{"count":3,"name":"Zo\u00eb","price":7.5}')
    const body = python(dumps(args), sent)
    // White space only before the numbers: no printer does this, but v2 shows that the JSON is the same.
    await expectFound({ body, header: value }, 'body-not-verbatim')
  })

  it.each([2, 4])('body-reindented: json.dumps(indent=%i)', async (indent) => {
    await expectFound(
      { body: python(dumps(`, indent=${indent}`), compact), header: compactHeader },
      'body-reindented',
    )
  })

  it('body-bytes-printed: str(request.data)', async () => {
    const body = python('import sys; sys.stdout.write(str(sys.stdin.buffer.read()))', accented)
    await expectFound({ body, header: accentedHeader }, 'body-bytes-printed')
  })

  it('a body that Python signed and sent is reconstructed after JSON.parse and JSON.stringify', async () => {
    const program = `
import base64, hashlib, hmac, json, sys
key, t = sys.stdin.read().split()
body = json.dumps({"amount": 12.0, "name": "Zo\u00eb \u20ac", "rates": [1e-7, 1e16, 2.5], "none": None}).encode()
print(body.decode())
print("t=%s,v3=%s" % (t, hmac.new(key.encode(), base64.b64encode(body) + t.encode(), hashlib.sha256).hexdigest()))`
    const [sent = '', value = ''] = python(program, `${secret} ${t}`).toString().split('\n')
    expect(sent).toContain('"rates": [1e-07, 1e+16, 2.5]')
    await expectFound({ body: JSON.stringify(JSON.parse(sent)), header: value }, 'body-reserialized')
  })
})
