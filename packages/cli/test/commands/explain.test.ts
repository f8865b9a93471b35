import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { recordRefusals } from '@service-signature/explain/record'
import { WebhookError, type WebhookErrorCode } from '@service-signature/core'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run, runJson } from '../support/command.js'
import { file } from '../../../terminal/test/support/files.js'
import { env, secret, signed, timestamp, v3 } from '../support/truth.js'

const body = '{"type": "x", "amount": 5}'
const now = timestamp + 12

const explain = (stdin: string, header: string, ...argv: readonly string[]) =>
  run(['explain', '--header', header, ...argv], { stdin, env, now })

describe('explain', () => {
  it('of a genuine delivery ends with 0, and the finding comes first', async () => {
    const outcome = await explain(body, signed(body))
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    const { code, json, stderr } = await runJson(['explain', '--header', signed(body)], {
      stdin: body,
      env,
      now,
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(json).toMatchObject({ ok: true, hypotheses: [] })
    const { finding } = json as { readonly finding: string }
    expect(outcome.stdout.replaceAll('\n', ' ').slice(0, finding.length)).toBe(finding)
    expect(outcome.stdout).toMatch(/[^\n]\n$/)
  })

  it.each([
    {
      fault: 'a body that was parsed and printed again',
      stdin: '{"type":"x","amount":5}',
      name: 'body-reserialized',
    },
    { fault: 'a line break behind the body', stdin: `${body}\n`, name: 'body-trailing-newline' },
  ])('of $fault names it, and ends with 1', async ({ stdin, name }) => {
    const { code, stdout, stderr } = await explain(stdin, signed(body))
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toContain(`${name} (proven with v3)`)
    for (const untold of [secret, v3(stdin), v3(body)]) expect(stdout).not.toContain(untold)
    const { json } = await runJson(['explain', '--header', signed(body)], { stdin, env, now })
    expect(json).toMatchObject({ ok: false, code: 'ERR_SIGNATURE_MISMATCH', hypotheses: [{ names: [name] }] })
  })

  it.each([
    { what: 'the versions', argv: ['--versions', 'v2'], code: 'ERR_SIGNATURE_VERSION_MISSING' },
    { what: 'the time', argv: ['--now', String(timestamp + 301)], code: 'ERR_TIMESTAMP_TOO_OLD' },
    { what: 'the tolerance', argv: ['--tolerance', '11'], code: 'ERR_TIMESTAMP_TOO_OLD' },
  ])('uses $what of the command line', async ({ argv, code }) => {
    const { json } = await runJson(['explain', '--header', signed(body), ...argv], { stdin: body, env, now })
    expect(json).toMatchObject({ ok: false, code })
  })

  it('of header lines without the header says so', async () => {
    const { code, json } = await runJson(['explain', '--headers', file('Host: x')], { stdin: body, env, now })
    expect(code).toBe(1)
    expect(json).toMatchObject({ ok: false, code: 'ERR_SIGNATURE_MISSING' })
  })

  it('lists what was ruled out and not tried only with --verbose, and always as JSON', async () => {
    const wrong = { stdin: body, env: { WEBHOOK_SECRET: 'another_signature_key' }, now }
    const argv = ['explain', '--header', signed(body)]
    const short = await run(argv, wrong)
    expect(short.code).toBe(1)
    expect(short.stdout).not.toMatch(/Ruled out|Not tried/)
    const verbose = await run([...argv, '--verbose'], wrong)
    expect(verbose.code).toBe(1)
    expect(verbose.stdout).toMatch(/\nRuled out\n[^]*\nNot tried\n[^]*body-reserialized/)
    const { json } = await runJson(argv, wrong)
    expect((json as { notTried: readonly string[] }).notTried).toContain('body-reserialized')
  })

  it.each([60, 80])('fits a terminal of %s columns', async (width) => {
    const world = { stdin: '{"type":"x","amount":5}', env, now, width }
    const { code, stdout } = await run(['explain', '--header', signed(body), '--verbose'], world)
    expect(code).toBe(1)
    const longest = Math.max(...stdout.split('\n').map(({ length }) => length))
    expect(longest).toBeLessThanOrEqual(width)
    expect(longest).toBeGreaterThan(width - 10)
  })

  it('is in color, where there is color', async () => {
    const world = { stdin: body, env, now, hasColor: true }
    const { stdout } = await run(['explain', '--header', signed(body)], world)
    expect(stdout).toContain('\u001b[32m')
  })

  it.each([
    { content: `${secret}\n`, code: 0, names: [] },
    { content: `${secret} \n`, code: 1, names: [{ names: ['key-white-space'] }] },
    { content: `${secret}\n\n`, code: 1, names: [{ names: ['key-white-space'] }] },
  ])(
    'takes a key that may be wrong, but for the line break of its file: %j',
    async ({ content, ...expected }) => {
      const argv = ['explain', '--header', signed(body), '--secret-file', file(content)]
      const { code, json } = await runJson(argv, { stdin: body, now })
      expect(code).toBe(expected.code)
      expect(json).toMatchObject({ ok: code === 0, hypotheses: expected.names })
    },
  )

  it('prints a note on what a HAR loses next to the report', async () => {
    const request = {
      headers: [{ name: 'Service-Signature', value: signed(body) }],
      postData: { text: body },
    }
    const path = file(JSON.stringify({ log: { entries: [{ request }] } }))
    const { code, stderr } = await run(['explain', '--request', path], { env, now })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Note: A HAR holds the body as text/)
  })

  it.each([
    [
      'between its elements',
      (header: string) => header.replace(',', ',\r\n '),
      /^The header is folded: it has line breaks/,
    ],
    ['before its value', (header: string) => `\r\n ${header}`, /^The header has wrong separators/],
  ])('finds a header that is folded %s, which a server refuses', async (_where, fold, finding) => {
    // It is the server of Node that refuses it, before any handler runs.
    const server = createServer(() => {
      throw new Error('the handler ran')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const saved = `POST / HTTP/1.1\r\nHost: x\r\nService-Signature: ${fold(signed(body))}\r\nContent-Length: 26\r\n\r\n${body}`
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.end(saved)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
    await once(server.close(), 'close')

    const outcome = await run(['explain', '--request', file(saved)], { env, now })
    expect(outcome.code).toBe(1)
    expect(outcome.stdout).toMatch(finding)
    expect(outcome.stderr).toContain('Note: A header line of the request is folded')
    const verified = await run(['verify', '--request', file(saved)], { env, now })
    expect(verified.code).toBe(1)
    expect(verified.stdout).toContain('ERR_SIGNATURE_MALFORMED')
  })
})

/** The file that recordRefusals writes. */
async function recorded(code: WebhookErrorCode, header: string | undefined, arrived?: string, at = now) {
  const folder = mkdtempSync(join(tmpdir(), 'refusals-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  const onRejected = recordRefusals({ folder, now: () => at * 1000 })
  const read = arrived === undefined ? {} : { body: Buffer.from(arrived) }
  await onRejected(new WebhookError(code), { header, ...read })
  return join(folder, readdirSync(folder)[0]!)
}

describe('explain, the day after, of a recorded refusal', () => {
  const dayAfter = { env, now: now + 86_400 }

  it('names the cause, as of the time of the refusal', async () => {
    const path = await recorded('ERR_SIGNATURE_MISMATCH', signed(body), `${body}\n`)
    const { code, stdout, stderr } = await run(['explain', '--request', path], dayAfter)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^The body has a line feed .*\s\[body-trailing-newline\]\./s)
    expect(stdout).not.toContain('[replay]')
    expect(stderr).toContain('Note: It was refused with ERR_SIGNATURE_MISMATCH at ')
  })

  it('of a valid signature says so, next to the code of the rule that refused it', async () => {
    const path = await recorded('ERR_ACCOUNT_UNEXPECTED', signed(body), body)
    const { code, stdout, stderr } = await run(['explain', '--request', path], dayAfter)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^It verifies/)
    expect(stderr).toContain('ERR_ACCOUNT_UNEXPECTED')
  })

  it.each<[WebhookErrorCode, header: string | undefined, cause: RegExp]>([
    ['ERR_SIGNATURE_MISSING', undefined, /^The request has no Service-Signature header/],
    ['ERR_SIGNATURE_MALFORMED', signed(body).replace('v3', 'v3='), /header is malformed/],
    ['ERR_TIMESTAMP_TOO_OLD', signed(body).replace(/\d+/, '1743000000'), /25 hours ago/],
    ['ERR_BODY_TOO_LARGE', signed(body), /^The body is larger than bodyLimit allows/],
    ['ERR_BODY_ENCODED', signed(body), /^The body is compressed/],
  ])(
    'whose body was never read says what %s says, and nothing about the body',
    async (refused, header, cause) => {
      const path = await recorded(refused, header)
      const { code, stdout } = await run(['explain', '--request', path], dayAfter)
      expect(code).toBe(1)
      expect(stdout).toMatch(cause)
      const { json } = await runJson(['explain', '--request', path], dayAfter)
      expect(json).toMatchObject({ ok: false, code: refused, checks: [], questions: [] })
    },
  )

  it('does not fail on a code that it does not know', async () => {
    const path = file(
      'POST / HTTP/1.1\nRefused: ERR_OTHER at 2025-03-27T15:41:32Z, before its body was read\n\n',
    )
    expect(await run(['explain', '--request', path], dayAfter)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^It was refused with ERR_OTHER, which is unknown here\./) as string,
    })
  })
})
