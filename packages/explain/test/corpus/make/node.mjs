// What Node makes of a delivery.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { parse, stringify } from 'node:querystring'
import { inspect } from 'node:util'
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib'

const sent = Object.fromEntries(
  readFileSync(new URL('../sent.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((delivery) => [delivery.name, { ...delivery, body: Buffer.from(delivery.body, 'base64') }]),
)
const body = (name) => sent[name].body
const text = (name) => body(name).toString()
const parsed = (name) => JSON.parse(text(name))

function add(kind, name, did, expect, says, { body, ...more } = {}) {
  const recorded = body === undefined ? {} : { body: Buffer.from(body).toString('base64') }
  const line = { tool: `Node ${process.version}`, kind, sent: name, did, expect, says, ...recorded, ...more }
  console.log(JSON.stringify(line))
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  )
}

for (const name of [
  'transaction',
  'transaction-compact',
  'intent',
  'intent-compact',
  'intent-plain',
  'intent-utf8',
]) {
  const printed = JSON.stringify(parsed(name))
  add('printed', name, 'JSON.stringify(JSON.parse(body))', 'body-reserialized', '10\\.0', { body: printed })
}
for (const space of [2, 4, '\t']) {
  const printed = JSON.stringify(parsed('intent'), null, space)
  const did = `JSON.stringify(value, null, ${JSON.stringify(space)})`
  add('printed', 'intent', did, 'body-reserialized', '10\\.0', { body: printed })
}
add('printed', 'intent', 'keys sorted, JSON.stringify', 'body-reserialized', '10\\.0', {
  body: JSON.stringify(sorted(parsed('intent'))),
})
add('printed', 'intent', 'members in the order of a class, JSON.stringify', 'body-reserialized', '10\\.0', {
  body: JSON.stringify({ api_version: '1.1', ...parsed('intent') }),
})
add('printed', 'transaction', 'JSON.stringify without nulls', 'body-reserialized', 'null', {
  body: JSON.stringify(parsed('transaction'), (_, value) => value ?? undefined),
})
add('printed', 'intent', 'JSON.stringify without nulls', 'body-reserialized', 'null', {
  body: JSON.stringify(parsed('intent'), (_, value) => value ?? undefined),
})
add('printed', 'big-integer', 'JSON.stringify(JSON.parse(body))', 'body-reserialized', '2\\^53|53 bits', {
  body: JSON.stringify(parsed('big-integer')),
})
add('printed', 'huge-integer', 'JSON.stringify(JSON.parse(body))', 'integers-rounded?', 'integer', {
  body: JSON.stringify(parsed('huge-integer')),
})
add('printed', 'intent', 'JSON.stringify, then a line feed', 'body-reserialized', '10\\.0', {
  body: `${JSON.stringify(parsed('intent'))}\n`,
})
const typed = parsed('transaction')
typed.intent.created = new Date(typed.intent.created)
add('printed', 'transaction', 'one time revived as a Date', 'values-changed?', 'time', {
  body: JSON.stringify(typed),
})
add('wrapped', 'intent', 'JSON.stringify(text)', 'body-json-string', 'string', {
  body: JSON.stringify(text('intent')),
})
add('wrapped', 'transaction', 'JSON.stringify(Buffer)', 'body-bytes-printed', 'bytes', {
  body: JSON.stringify(body('transaction')),
})
add('wrapped', 'transaction', 'String(new Uint8Array(body))', 'body-bytes-printed', 'bytes', {
  body: String(new Uint8Array(body('transaction'))),
})
add('wrapped', 'intent', 'a Lambda event', 'body-envelope', 'object', {
  body: JSON.stringify({ version: '2.0', headers: {}, body: text('intent'), isBase64Encoded: false }),
})
add('wrapped', 'intent', 'a Lambda event, base64', 'body-envelope', 'base64', {
  body: JSON.stringify({ version: '2.0', body: body('intent').toString('base64'), isBase64Encoded: true }),
})
add(
  'wrapped',
  'intent',
  'a message of a queue, parsed payload',
  'body-envelope+body-reserialized',
  'object',
  {
    body: JSON.stringify({ id: 7, payload: parsed('intent') }),
  },
)
add('wrapped', 'intent', 'String(object)', 'body-consumed?', 'object', {
  body: String(parsed('intent')),
})
add('wrapped', 'intent', 'util.inspect(object)', 'body-printed-object?', 'parse', {
  body: inspect(parsed('intent')),
})
add('wrapped', 'intent', 'querystring.stringify(querystring.parse(body))', 'body-form-encoded', 'form', {
  body: stringify(parse(text('intent-plain'))),
  sent: 'intent-plain',
})
add('wrapped', 'intent', 'encodeURIComponent', 'body-form-encoded', 'form', {
  body: encodeURIComponent(text('intent')),
})
add('wrapped', 'intent-plain', 'gzipSync', 'body-compressed', 'compressed', {
  body: gzipSync(body('intent-plain')),
})
add('wrapped', 'intent', 'brotliCompressSync', 'body-compressed', 'compressed', {
  body: brotliCompressSync(body('intent')),
})
add('wrapped', 'intent', 'deflateRawSync', 'body-compressed', 'compressed', {
  body: deflateRawSync(body('intent')),
})
add('wrapped', 'intent', 'JSON.stringify, then gzipSync', 'body-compressed+body-reserialized', 'compressed', {
  body: gzipSync(JSON.stringify(parsed('intent'))),
})
add('wrapped', 'intent', 'gzip read as text, setEncoding("utf8")', 'body-characters-lost?', 'U\\+FFFD', {
  body: gzipSync(body('intent')).toString(),
})
add('text', 'intent-utf8', 'setEncoding("latin1")', 'body-charset', 'Latin-1', {
  body: body('intent-utf8').toString('latin1'),
})
add('text', 'intent-utf8', 'setEncoding("ascii")', 'body-characters-lost?', 'ASCII', {
  body: body('intent-utf8').toString('ascii'),
})
add('text', 'intent-utf8', 'Buffer.from(text, "latin1")', 'body-characters-lost?', 'charset|UTF-8', {
  body: Buffer.from(text('intent-utf8'), 'latin1'),
})
const half = body('intent-utf8').indexOf('\u00f8')
add(
  'text',
  'intent-utf8',
  'a chunk that ends within a letter, decoded by itself',
  'body-characters-lost?',
  'U\\+FFFD',
  {
    body:
      body('intent-utf8')
        .subarray(0, half + 1)
        .toString() +
      body('intent-utf8')
        .subarray(half + 1)
        .toString(),
  },
)
add('text', 'intent-utf8', 'normalize("NFD")', 'body-unicode-form', 'NFD', {
  body: text('intent-utf8').normalize('NFD'),
})
add('text', 'intent', 'JSON.stringify(JSON.parse(body.normalize("NFD")))', 'body-reserialized', '10\\.0', {
  body: JSON.stringify(JSON.parse(text('intent').normalize('NFD'))),
})
add('text', 'lines', 'trim()', 'body-trailing-newline', 'white space|line feed', {
  body: text('lines').trim(),
})
add(
  'text',
  'intent-utf8',
  'an emoji removed by a filter of astral characters',
  'values-changed?',
  'changed|another',
  {
    body: text('intent-utf8').replace(/[\u{10000}-\u{10ffff}]/gu, ''),
  },
)
add('cut', 'long', 'the first chunk of a stream (16384)', 'body-cut?', '16,?384', {
  body: body('long').subarray(0, 16384),
})
add('cut', 'long', 'the first 102400 bytes', 'body-cut?', '102,?400', {
  body: body('long').subarray(0, 102400),
})
add('cut', 'intent', 'the first TCP segment (1448 bytes of payload)', 'body-cut?', '1,?448', {
  body: body('intent').subarray(0, 1448),
})
add('cut', 'intent', 'Content-Length counted in letters', 'body-cut?', 'ends', {
  body: body('intent-utf8').subarray(0, text('intent-utf8').length),
  sent: 'intent-utf8',
})

/** The header as Node's HTTP server gives it, when the request has these. */
async function received(headers) {
  let value
  const server = createServer((req, res) => {
    value = req.headers['service-signature']
    res.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sender = request({ port: server.address().port, host: '127.0.0.1', method: 'POST', headers }).end()
  const [response] = await once(sender, 'response')
  await once(response.resume(), 'end')
  server.close()
  return value
}
const { header } = sent.intent
const other = sent['other-intent'].header
const twice = await received({ 'Service-Signature': [header, header] })
add('header', 'intent', 'two headers, joined by node:http', 'header-repeated', 'signatures', {
  header: twice,
})
const joined = await received({ 'Service-Signature': [other, header] })
add('header', 'intent', 'headers of two events, joined by node:http', 'header-repeated', 'signatures', {
  header: joined,
})
add('header', 'intent', 'encodeURIComponent', 'header-percent-encoded', 'percent', {
  header: encodeURIComponent(header),
})
add('header', 'intent', 'JSON.stringify', 'header-quoted', 'quotes', { header: JSON.stringify(header) })
add('header', 'intent', 'JSON.stringify of a list', 'header-quoted+header-separators', 'quotes', {
  header: JSON.stringify([header]),
})
add('header', 'intent', 'toUpperCase', 'header-element-names+header-hex-upper-case', 'upper case|name', {
  header: header.toUpperCase(),
})
add('header', 'intent', 'hex in upper case', 'header-hex-upper-case', 'upper case', {
  header: header.replace(/[0-9a-f]{64}/g, (hex) => hex.toUpperCase()),
})
add('header', 'intent', 'two spaces after each comma', 'header-separators', 'separators', {
  header: header.replaceAll(',', ' ;  '),
})
add('header', 'intent', 'Set-Cookie style with semicolons', 'header-separators', 'separators', {
  header: header.replaceAll(',', '; '),
})
add('header', 'intent', 'undefined', 'header-missing?', 'header', { header: null })
add('header', 'intent', 'split by comma, first item kept', 'header-cut?', 'header', {
  header: header.split(',')[0],
})
for (const length of [255, 200, 192, 128, 100, 64]) {
  const proven = length >= 148 && length < 216
  const expect = length > 216 ? undefined : proven ? 'header-cut' : 'header-cut?'
  if (expect === undefined) continue
  add('header', 'intent', `header.slice(0, ${length})`, expect, 'cut', { header: header.slice(0, length) })
}
add('header', 'intent', 'header.slice(0, 128), with the API key', 'header-cut', 'cut', {
  header: header.slice(0, 128),
  useApiKey: true,
})
add('header', 'intent', 'its first 20 letters lost', 'header-cut?', 'cut|no "t"', {
  header: header.slice(20),
})

const { secret, apiKey } = sent.intent
const keys = [
  ['key-white-space', 'line break', 'readFileSync(file)', `${secret}\n`],
  ['key-white-space', 'space', 'pasted with a blank', ` ${secret}`],
  ['key-quoted', 'quotes', 'JSON.stringify(secret)', JSON.stringify(secret)],
  ['key-quoted', 'quotes', 'docker --env-file with quotes', `'${secret}'`],
  ['key-prefixed', 'name', 'a whole line of .env', `WEBHOOK_SECRET=${secret}`],
  ['key-prefixed', 'Bearer|Authorization', 'Bearer', `Bearer ${secret}`],
  ['key-base64', 'base64', 'a Kubernetes secret, not decoded', Buffer.from(secret).toString('base64')],
  [
    'key-base64',
    'base64',
    'base64 with the line feed of echo',
    Buffer.from(`${secret}\n`).toString('base64'),
  ],
  ['key-hex', 'hex', 'printed as hex', Buffer.from(secret).toString('hex')],
  ['key-percent-encoded', 'percent', 'encodeURIComponent', encodeURIComponent(secret)],
  ['key-percent-encoded', 'plus', 'URLSearchParams', new URLSearchParams(`s=${secret}`).get('s')],
  ['key-escaped', 'backslash', 'json_encode of PHP: \\/', secret.replaceAll('/', '\\/')],
  ['key-escaped', 'backslash|escape', 'Gson: \\u003d', secret.replaceAll('=', '\\u003d')],
  ['key-escaped', 'HTML', 'an HTML page: &#x2B;', secret.replaceAll('+', '&#x2B;').replaceAll('/', '&#x2F;')],
  [
    'key-cut',
    'cut|padding',
    'the "==" at its end lost, as read from a .env by split("=")',
    secret.replace(/=+$/, ''),
  ],
  ['keys-swapped', 'API key', 'the API key', apiKey],
  ['key-other?', 'mode', 'the secret of the other mode', 'wsk_test/4mR7+LpQ2vWx9Yb1NcKd6Jf3=='],
  ['key-other?', 'account', 'the secret of another account', 'wsk_live/Z8xW+Kq1Tn5Rb3Vm7Pc2Gh9y=='],
  ['key-placeholder?', 'variable', 'a variable that was not replaced', '${WEBHOOK_SECRET}'],
  ['key-placeholder?', 'placeholder', 'the placeholder of the example', 'your-webhook-secret'],
  ['key-placeholder?', 'undefined', 'String(undefined)', 'undefined'],
  [
    'key-json-answer',
    'JSON',
    'the answer of the key call',
    JSON.stringify({
      status: { code: 200, message: 'OK', errors: [] },
      data: { webhook_signature_secret: secret },
      count: 1,
    }),
  ],
  ['key-organization', 'organization', 'three items', `${secret},acc_31,true`],
  ['key-base64', 'decoded', 'atob(secret)', Buffer.from('c2VjcmV0LW9mLXRoZS1zaG9w', 'base64').toString()],
].slice(0, -1)
for (const [expect, says, did, given] of keys) {
  add('key', 'intent', did, expect, says, { secret: given })
}
add('key', 'intent', 'the secret as the API key', 'keys-swapped', 'secret', {
  secret: null,
  giveApiKey: secret,
})
add('key', 'intent', 'both exchanged', 'keys-swapped', 'exchanged', { secret: apiKey, giveApiKey: secret })
add('key', 'intent', 'the secret of another account, with the right API key', 'other-secret', 'secret', {
  secret: 'wsk_live/Z8xW+Kq1Tn5Rb3Vm7Pc2Gh9y==',
  useApiKey: true,
})
add('key', 'intent', 'another API key of the account', 'other-api-key', 'API key', {
  giveApiKey: 'acct_live_00d1a2b3c4d5e6f7',
  versions: ['v1', 'v3'],
})
add(
  'key',
  'intent',
  'a line break, and the body printed again',
  'key-white-space+body-reserialized',
  'line break',
  {
    secret: `${secret}\n`,
    body: JSON.stringify(parsed('intent')),
  },
)
add('key', 'intent', 'quotes, and a line feed after the body', 'key-quoted+body-trailing-newline', 'quotes', {
  secret: `"${secret}"`,
  body: `${text('intent')}\n`,
})

const t = 1743090080
const times = [
  ['clock-skew', 'clock', 'a clock that is 7 minutes fast', t + 420],
  ['clock-skew', 'clock', 'a clock that is 3 minutes slow', t - 180],
  ['time-zone', 'time zone', 'local time taken for UTC: two hours', t + 7203],
  ['time-zone', 'time zone', 'local time taken for UTC: five hours before', t - 17998],
  ['replay', 'recorded', 'sent again after three days', t + 3 * 86400 + 1234],
]
for (const [expect, says, did, seconds] of times) {
  add('time', 'intent', did, expect, says, { now: seconds * 1000 })
}
add('time', 'intent', 'now in seconds, where milliseconds are expected', 'clock-units?', 'milliseconds', {
  now: t,
})
add('time', 'intent', 'three days old, and printed again', 'body-reserialized', '10\\.0', {
  body: JSON.stringify(parsed('intent')),
  now: (t + 3 * 86400 + 1234) * 1000,
  may: ['replay'],
})
add('time', 'intent', '"t" printed in milliseconds by a forwarder', 'header-milliseconds', 'milliseconds', {
  header: header.replace(/t=(\d+)/, 't=$1000'),
})
add('time', 'intent', '"t" as a date', 'header-time-format', '"t"', {
  header: header.replace(/t=\d+/, `t=${new Date(t * 1000).toISOString()}`),
})

const version = (list) =>
  header
    .split(',')
    .filter((item) => list.includes(item.split('=')[0]))
    .join()
add('version', 'intent', 'v3 required, v1 and v2 sent', 'header-version-missing', 'v3', {
  header: version(['t', 'v1', 'v2']),
})
add('version', 'intent', 'v1 required without v1 in the header', 'header-version-missing', 'v1', {
  header: version(['t', 'v2', 'v3']),
  versions: ['v1'],
  useApiKey: true,
})
const [time, v1, v2, v3] = header.split(',').map((item) => item.split('=')[1])
add('version', 'intent', 'digests of v2 and v3 exchanged', 'header-digests-swapped', 'under the name', {
  header: `t=${time},v1=${v1},v2=${v3},v3=${v2}`,
})

add('other', 'intent', 'a later event under this header', 'body-changed?', 'another event', {
  body: body('other-intent'),
})
add('other', 'transaction', 'a later event under this header', 'body-changed?', 'another event', {
  body: body('other-intent'),
})
add(
  'other',
  'intent',
  'another event of the same minute, with the API key',
  'body-changed?',
  'another event',
  {
    body: body('transaction'),
    useApiKey: true,
  },
)
// With one key, a wrong key and a wrong body look the same: the first line must name both.
const changed = text('intent').replace('"amount": 120.0', '"amount": 1.0')
add('other', 'intent', 'a changed amount', 'key-other?', 'changed', { body: changed })
add('other', 'intent', 'a changed amount, with the API key', 'body-changed?', 'changed', {
  body: changed,
  useApiKey: true,
})
const forged = `t=${time},v1=${v2.slice(8)}00000000,v2=${v3.slice(8)}00000000,v3=${v1.slice(8)}00000000`
add('other', 'intent', 'a forged header', 'key-other?', 'forged', { header: forged })
add('other', 'transaction', 'a forged header, with the API key', 'body-changed?', 'forged', {
  header: forged,
  useApiKey: true,
})
add('other', 'intent', 'another "t" in the header', 'key-other?', 'changed', {
  header: header.replace(time, String(t + 5)),
})
