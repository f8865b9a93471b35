import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { describe, expect, it } from 'vitest'
import { run, runJson } from '../support/command.js'
import { file } from '../../../terminal/test/support/files.js'
import {
  apiKey,
  bothKeys,
  env,
  fingerprintOf,
  hmac,
  known,
  secret,
  signed,
  timestamp,
  v1,
  v3,
} from '../support/truth.js'

const body = JSON.stringify(transactionEvent({ transaction: { custom_message: 'Thanks' } }))
const now = timestamp + 12
const theSecret = `the secret ${fingerprintOf(secret)}`

/** Verifies a body with a header. */
const verify = (body: string | Uint8Array, header: string, ...argv: readonly string[]) =>
  run(['verify', '--header', header, ...argv], { stdin: body, env: bothKeys, now })

describe('a genuine delivery: what is proven, on one line', () => {
  it('the event, its age, the version and the key', async () => {
    await expect(verify(body, signed(body))).resolves.toEqual({
      code: 0,
      stdout: `Genuine: transaction.purchase.successful, signed 12 s ago (2025-03-27T15:41:20Z), v3 made with ${theSecret}.\n`,
      stderr: '',
    })
  })

  it('from the clock of another', async () => {
    const { stdout } = await verify(body, signed(body, now + 5))
    expect(stdout).toContain('signed 5 s ahead (2025-03-27T15:41:37Z)')
  })

  it('with several versions, and the form of v2', async () => {
    const text = '{"amount":10.0,"type":"x"}'
    const v2 = hmac(secret, `{"amount":10,"type":"x"}${timestamp}`)
    const header = `t=${timestamp},v1=${v1(text)},v2=${v2},v3=${v3(text)}`
    const { code, stdout } = await verify(text, header, '--versions', 'v1,v2,v3')
    expect(code).toBe(0)
    expect(stdout).toBe(
      'Genuine: unrecognized event x, signed 12 s ago (2025-03-27T15:41:20Z), v1 and v2 and v3 made with ' +
        `the API key ${fingerprintOf(apiKey)} and ${theSecret} (v2 printed as ecmascript).\n`,
    )
  })

  it('an event without a type', async () => {
    const { stdout } = await verify('{}', signed('{}'))
    expect(stdout).toContain('Genuine: unrecognized event without a type, signed')
  })

  it('a type that would command the terminal does not', async () => {
    const text = '{"type":"a\\u001b[2Jb"}'
    const { stdout } = await verify(text, signed(text))
    expect(stdout).toContain('unrecognized event a [2Jb, signed')
  })

  it('in color, where there is color', async () => {
    const world = { stdin: body, env, now, hasColor: true }
    const { stdout } = await run(['verify', '--header', signed(body)], world)
    expect(stdout).toContain('\u001b[32mGenuine\u001b[39m: ')
  })

  it('as JSON', async () => {
    const text = JSON.stringify(intentEvent())
    const v2 = hmac(secret, Buffer.from(sortedIntent()).toString() + String(timestamp))
    const header = `t=${timestamp},v1=${v1(text.replaceAll(' ', ''))},v2=${v2}`
    const argv = ['verify', '--header', header, '--versions', 'v1,v2']
    await expect(runJson(argv, { stdin: text, env: bothKeys, now })).resolves.toEqual({
      code: 0,
      json: {
        ok: true,
        event: { shape: 'intent', type: 'intent.processed' },
        timestamp,
        ageSeconds: 12,
        versions: ['v1', 'v2'],
        canonicalForm: 'source',
        keys: { apiKey: fingerprintOf(apiKey), secret: fingerprintOf(secret) },
      },
      stderr: '',
    })
  })

  it('as JSON, of v3 alone', async () => {
    const { json } = await runJson(['verify', '--header', signed(body)], { stdin: body, env, now })
    expect(json).toEqual({
      ok: true,
      event: { shape: 'transaction', type: 'transaction.purchase.successful' },
      timestamp,
      ageSeconds: 12,
      versions: ['v3'],
      keys: { secret: fingerprintOf(secret) },
    })
  })
})

/** The canonical text of v2 with the tools of Node: sorted at every level, compact, without spaces. */
function sortedIntent(): string {
  const sort = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sort)
    if (typeof value !== 'object' || value === null) return value
    const names = Object.keys(value).sort()
    return Object.fromEntries(names.map((name) => [name, sort((value as Record<string, unknown>)[name])]))
  }
  return JSON.stringify(sort(intentEvent())).replaceAll(' ', '')
}

describe('the window', () => {
  it.each([
    { what: 'an age of 300 s', argv: ['--now', String(timestamp + 300)], code: 0 },
    { what: 'an age of 301 s', argv: ['--now', String(timestamp + 301)], code: 1 },
    { what: '--tolerance 600', argv: ['--now', String(timestamp + 600), '--tolerance', '600'], code: 0 },
    { what: '--tolerance 0.5', argv: ['--now', String(timestamp + 1), '--tolerance', '0.5'], code: 1 },
    { what: '--tolerance Infinity', argv: ['--now', '999999999999', '--tolerance', 'Infinity'], code: 0 },
  ])('$what ends with $code', async ({ argv, code }) => {
    await expect(verify(body, signed(body), ...argv)).resolves.toMatchObject({ code })
  })

  it('without --now, the time is that of the clock', async () => {
    const argv = ['verify', '--header', signed(body)]
    await expect(run(argv, { stdin: body, env, now: timestamp + 301 })).resolves.toMatchObject({ code: 1 })
  })
})

describe('verify of a refused delivery ends with 1 and prints the code, the fix, and what to do next', () => {
  const explain = 'To find out why, run the same command with explain in place of verify.\n'

  it.each([
    { fault: 'another body', header: signed(`${body} `), code: 'ERR_SIGNATURE_MISMATCH', next: explain },
    {
      fault: 'another key',
      header: signed(body, timestamp, 'other'),
      code: 'ERR_SIGNATURE_MISMATCH',
      next: explain,
    },
    {
      fault: 'another time',
      header: signed(body).replace(/t=\d+/, `t=${timestamp + 1}`),
      code: 'ERR_SIGNATURE_MISMATCH',
      next: explain,
    },
    { fault: 'an empty header', header: '', code: 'ERR_SIGNATURE_MALFORMED', next: explain },
    { fault: 'no v3', header: `t=${timestamp}`, code: 'ERR_SIGNATURE_VERSION_MISSING', next: explain },
    {
      fault: 'an old one',
      header: signed(body, timestamp - 300),
      code: 'ERR_TIMESTAMP_TOO_OLD',
      next: `add: --now ${timestamp - 300}\n`,
    },
    {
      fault: 'one of the future',
      header: `v3=${v3(body, now + 61)}, t=${now + 61}`,
      code: 'ERR_TIMESTAMP_IN_FUTURE',
      next: `add: --now ${now + 61}\n`,
    },
  ])('$fault', async ({ header, code, next }) => {
    const outcome = await verify(body, header)
    expect(outcome).toMatchObject({ code: 1, stderr: '' })
    expect(outcome.stdout.startsWith(`${code}: The `)).toBe(true)
    expect(outcome.stdout.endsWith(next)).toBe(true)
    expect(outcome.stdout).not.toContain('Genuine')
    for (const untold of [secret, v3(body), 'custom_message']) expect(outcome.stdout).not.toContain(untold)
  })

  it('genuine, and no event', async () => {
    const outcome = await verify('webhook', signed('webhook'))
    expect(outcome.code).toBe(1)
    expect(outcome.stdout).toMatch(/^ERR_BODY_NOT_JSON: /)
  })

  it('the known answer of public code is a genuine text, which is unrecognized', async () => {
    const { code, stdout } = await verify(known.body, known.header)
    expect(code).toBe(0)
    expect(stdout).toContain('unrecognized event without a type')
  })

  it('header lines without the header', async () => {
    const argv = ['verify', '--headers', file('Host: x\n')]
    const outcome = await run(argv, { stdin: body, env, now })
    expect(outcome.code).toBe(1)
    expect(outcome.stdout).toMatch(/^ERR_SIGNATURE_MISSING: /)
  })

  it('in color, where there is color', async () => {
    const { stdout } = await run(['verify', '--header', ''], { stdin: body, env, now, hasColor: true })
    expect(stdout).toContain('\u001b[31mERR_SIGNATURE_MALFORMED\u001b[39m: ')
  })

  it('as JSON', async () => {
    await expect(runJson(['verify', '--header', signed('x')], { stdin: body, env, now })).resolves.toEqual({
      code: 1,
      json: {
        ok: false,
        error: {
          code: 'ERR_SIGNATURE_MISMATCH',
          message: expect.stringContaining('The signature does not match the body') as string,
        },
      },
      stderr: '',
    })
  })
})

describe('a saved request', () => {
  it('raw: verified byte for byte', async () => {
    const request = file(`POST / HTTP/1.1\r\nService-Signature: ${signed(body)}\r\n\r\n${body}`)
    await expect(run(['verify', '--request', request], { env, now })).resolves.toMatchObject({
      code: 0,
      stderr: '',
    })
  })

  it('a HAR: with a note next to the result, as JSON too', async () => {
    const request = {
      headers: [{ name: 'Service-Signature', value: signed(body) }],
      postData: { text: body },
    }
    const path = file(JSON.stringify({ log: { entries: [{ request }] } }))
    const { code, json, stderr } = await runJson(['verify', '--request', path], { env, now })
    expect(code).toBe(0)
    expect(json).toHaveProperty('ok', true)
    expect(stderr).toMatch(/^Note: A HAR holds the body as text/)
  })
})

describe('verify is refused with 2, and says nothing of the delivery', () => {
  const header = ['--header', signed(body)]

  it.each([
    { fault: 'no header', argv: [], says: 'Say where the signature is' },
    {
      fault: 'a header and header lines',
      argv: [...header, '--headers', 'x'],
      says: 'Say where the signature is: --header <value>, --headers <file> or --request <file>.',
    },
    {
      fault: 'a request and a body',
      argv: ['--request', 'x', '--body', 'y'],
      says: '--request has head and body',
    },
    {
      fault: 'a request and a header',
      argv: ['--request', 'x', ...header],
      says: 'leave out --body, --header and --headers.',
    },
    {
      fault: 'a request and header lines',
      argv: ['--request', 'x', '--headers', 'y'],
      says: 'leave out --body, --header and --headers.',
    },
    {
      fault: 'no tolerance',
      argv: [...header, '--tolerance', '0'],
      says: '--tolerance must be a number of seconds above 0, or Infinity, got "0".',
    },
    {
      fault: 'a tolerance that is not a number',
      argv: [...header, '--tolerance', '5m'],
      says: '--tolerance must be',
    },
    {
      fault: 'an invalid time',
      argv: [...header, '--now', 'yesterday'],
      says: '--now must be a Unix time in seconds',
    },
    { fault: 'an unknown version', argv: [...header, '--versions', 'v4'], says: '--versions must list' },
    {
      fault: 'a version without its key',
      argv: [...header, '--versions', 'v1'],
      says: 'No account API key. Set PAYMENT_API_KEY or pass --api-key-file',
    },
  ])('$fault', async ({ argv, says }) => {
    const outcome = await run(['verify', ...argv], { stdin: body, env, now })
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toContain(says)
  })
})
