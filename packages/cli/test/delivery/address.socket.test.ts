import { startSandbox } from '@service-signature/sandbox'
import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { run } from '../support/command.js'
import { closedPort, startEndpoint } from '../support/endpoint.js'
import { file } from '../support/files.js'
import { env, known, timestamp } from '../support/truth.js'

const attempt = {
  number: 1,
  at: '2025-03-27T15:41:21.000000Z',
  headers: { 'Content-Type': 'application/json', 'Service-Signature': known.header },
  body: known.body,
  faults: [] as readonly string[],
}
const delivery = { id: 'dlv_1', type: 'intent.processed', body: known.body, attempts: [attempt] }
const envelope = { status: { code: 200, message: 'OK', errors: [] }, data: delivery }
const now = ['--now', String(timestamp)]

const CONNECTION =
  'Note: The delivery is checked here as it was sent. If it verifies, the fault happened at your endpoint.\n'

describe('a delivery of a sandbox', () => {
  it.each(['verify', 'explain'])('is read by %s from the address that listen prints', async (name) => {
    const { url, received } = await startEndpoint((res) => res.end('ok'))
    const sandbox = await startSandbox({ defaultEndpoint: url })
    onTestFinished(() => sandbox.close())
    const answer = await fetch(`${sandbox.url}/_sandbox/compose/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ template: 'intent-processed' }),
    })
    const { data } = (await answer.json()) as { data: { deliveries: readonly [{ id: string }] } }
    await expect.poll(() => received.length).toBe(1)
    const { id } = data.deliveries[0]
    const path = `${sandbox.url}/_sandbox/deliveries/${id}/`
    const attempts = async () =>
      ((await (await fetch(path)).json()) as { data: { attempts: unknown[] } }).data.attempts.length
    await expect.poll(attempts).toBe(1)

    const world = { env: { WEBHOOK_SECRET: sandbox.secret }, now: Date.now() / 1000 }
    for (const address of [
      `${sandbox.url}/deliveries/${id}/`,
      `${sandbox.url}/deliveries/${id}`,
      path,
      `${path}export/?format=har`,
    ]) {
      const outcome = await run([name, '--request', address], world)
      expect(outcome.code, address).toBe(0)
    }
    const saved = file(await (await fetch(path)).text(), 'delivery.json')
    expect(await run([name, '--request', saved], world)).toMatchObject({ code: 0 })
  })

  it.each([
    ['with the envelope of the control API', envelope],
    ['without it', delivery],
  ])('is read from its JSON %s', async (_, json) => {
    const outcome = await run(['verify', '--request', file(JSON.stringify(json)), ...now], { env })
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
  })

  it('is its last attempt, and a note says so', async () => {
    const other = { ...attempt, body: 'other' }
    const json = { ...delivery, attempts: [other, other, attempt] }
    const { code, stderr } = await run(['verify', '--request', file(JSON.stringify(json)), ...now], { env })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'Note: The delivery has 3 attempts, and this is the last. For another one: .../_sandbox/deliveries/dlv_1/export/?attempt=1\n',
    })
  })

  it('is not a check of the sandbox, and notes have the cause that it found and where the fault happened', async () => {
    const cause = { title: 'Another secret?', detail: 'It is valid.', fix: 'Compare them.' }
    const attempts = [
      { ...attempt, is_check: false, cause },
      { ...attempt, is_check: true, body: 'other', cause: null },
    ]
    const json = JSON.stringify({ ...delivery, attempts })
    expect(await run(['verify', '--request', file(json), ...now], { env })).toMatchObject({
      code: 0,
      stderr: `Note: The sandbox found: Another secret? It is valid.\nNote: Compare them.\n${CONNECTION}`,
    })
    const known = json.replace('Another secret?', 'Another secret')
    const { stderr } = await run(['explain', '--request', file(known), ...now], { env })
    expect(stderr).toBe(
      `Note: The sandbox found: Another secret. It is valid.\nNote: Compare them.\n${CONNECTION}`,
    )
  })

  it('that was broken on purpose has a note', async () => {
    const json = { ...delivery, attempts: [{ ...attempt, faults: ['tamper', 'stale'] }] }
    const { stderr } = await run(['explain', '--request', file(JSON.stringify(json)), ...now], { env })
    expect(stderr).toBe('Note: The sandbox broke this attempt on purpose: tamper, stale.\n')
  })

  it.each([
    ['has no attempt yet', { ...delivery, attempts: [] }, 'The delivery has no attempt yet.'],
    [
      'has an attempt without headers',
      { ...delivery, attempts: [{ ...attempt, headers: 5 }] },
      '"headers" of a saved delivery must be an object',
    ],
  ])('is refused if it %s', async (_, json, words) => {
    const { code, stderr } = await run(['verify', '--request', file(JSON.stringify(json)), ...now], { env })
    expect(code).toBe(2)
    expect(stderr).toContain(words)
  })
})

describe('explain', () => {
  it('checks a delivery as of the time when it was received, unless --now chooses another time', async () => {
    const path = file(JSON.stringify(envelope))
    const years = { env, now: timestamp + 1e8 }
    expect(await run(['explain', '--request', path], years)).toMatchObject({
      code: 0,
      stderr:
        'Note: Checked as of 2025-03-27T15:41:21Z, when it was received. --now <seconds> chooses another time.\n',
    })
    const late = await run(['explain', '--request', path, '--now', String(timestamp + 301)], years)
    expect(late.code).toBe(1)
    expect(late.stderr).toBe('')
    // "verify" answers the question whether it would be accepted now.
    const verified = await run(['verify', '--request', path], years)
    expect(verified.stdout).toContain('ERR_TIMESTAMP_TOO_OLD')
  })
})

describe('an address', () => {
  const answering = (answer: (res: ServerResponse) => unknown) => startEndpoint((res) => void answer(res))

  it('may lead to any file that --request takes, and is read with one GET', async () => {
    const { url, received } = await answering((res) =>
      res.end(`POST / HTTP/1.1\nService-Signature: ${known.header}\n\n${known.body}`),
    )
    expect(await run(['verify', '--request', url, ...now], { env })).toMatchObject({ code: 0 })
    expect(received.map(({ method }) => method)).toEqual(['GET'])
  })

  it('that is not whole within 10 s is an error', async () => {
    const { url } = await answering((res) => res.writeHead(200).write('{'))
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const controller = new AbortController()
      setImmediate(() => {
        controller.abort(new DOMException('The operation timed out', 'TimeoutError'))
      })
      return controller.signal
    })
    onTestFinished(() => {
      timeout.mockRestore()
    })
    const { code, stderr } = await run(['explain', '--request', url], { env })
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `error: Cannot reach ${url}: there was no whole answer within 10 s.\n`,
    })
    expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000)
  })

  it.each([
    ['a refusal', (res: ServerResponse) => res.writeHead(404).end('no'), 1, 'answered 404.'],
    [
      'a redirect, which is not followed',
      (res: ServerResponse) => res.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
      1,
      'answered 302. No redirect is followed.',
    ],
    ['no answer', (res: ServerResponse) => res.destroy(), 3, 'Cannot reach'],
    [
      'something else',
      (res: ServerResponse) => res.end('<!doctype html>'),
      2,
      'This is not a HAR, a raw HTTP request, a curl command or a saved delivery.',
    ],
    [
      'more than 32 MiB',
      (res: ServerResponse) => {
        const more = () => {
          if (!res.destroyed) res.write(Buffer.alloc(1024 * 1024, ' '), more)
        }
        more()
      },
      2,
      'is larger than 32 MiB.',
    ],
  ])('that gives %s is an error', async (_, answer, exitCode, words) => {
    const { url } = await answering(answer)
    const { code, stderr, stdout } = await run(['explain', '--request', url], { env })
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' })
    expect(stderr).toContain(words)
    expect(stderr).toContain(url)
  })

  it('where nothing listens is an error, and the query and the password are not printed', async () => {
    const port = await closedPort()
    const address = `http://127.0.0.1:${port}/x?token=private`
    const { code, stderr } = await run(['explain', '--request', address], { env })
    expect(code).toBe(3)
    expect(stderr).toBe(`error: Cannot reach http://127.0.0.1:${port}/x: ECONNREFUSED.\n`)
    const named = await run(['explain', '--request', address.replace('//', '//user:pass@')], { env })
    expect(named).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: http://127.0.0.1:${port}/x: The address has a user name or a password. Leave them out.\n`,
    })
  })
})
