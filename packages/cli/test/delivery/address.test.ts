import { startSandbox } from '@service-signature/sandbox'
import type { ServerResponse } from 'node:http'
import { freePort } from '@service-signature/contract/free-port'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { run, runJson } from '../support/command.js'
import { startEndpoint } from '../support/endpoint.js'
import { file } from '../../../terminal/test/support/files.js'
import { env, fingerprintOf, known, timestamp } from '../support/truth.js'

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

/** A sandbox that has sent one delivery to an endpoint, which accepted it. */
async function sentDelivery(change: object = {}) {
  const { url, received } = await startEndpoint((res) => res.end('ok'))
  const sandbox = await startSandbox({ defaultEndpoint: url })
  onTestFinished(() => sandbox.close())
  const answer = await fetch(`${sandbox.url}/_sandbox/compose/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ template: 'intent-processed', ...change }),
  })
  const { data } = (await answer.json()) as { data: { deliveries: readonly [{ id: string }] } }
  await expect.poll(() => received.length).toBe(1)
  const { id } = data.deliveries[0]
  await sandbox.idle()
  return { sandbox, id, address: `${sandbox.url}/deliveries/${id}/` }
}

describe('a delivery of a sandbox', () => {
  it.each(['verify', 'explain'])('is read by %s from the address that listen prints', async (name) => {
    const { sandbox, id } = await sentDelivery()
    const path = `${sandbox.url}/_sandbox/deliveries/${id}/`
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

describe('explain of a delivery at the address of a sandbox', () => {
  const wrong = { env: { WEBHOOK_SECRET: 'another_signature_key' } }

  it('names both fingerprints if the secret is not that of the sandbox', async () => {
    const { sandbox, address } = await sentDelivery()
    const { code, stdout } = await run(['explain', '--request', address], wrong)
    const keys = `${fingerprintOf('another_signature_key')}, the sandbox signs with ${fingerprintOf(sandbox.secret)}`
    expect(code).toBe(1)
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      `Your secret is ${keys} [other-secret].`,
      expect.stringContaining('Fix: Use the secret of the sandbox'),
    ])
    expect(stdout).toContain('other-secret (proven with v3)')
    expect(stdout).not.toContain(sandbox.secret)
    expect(stdout).not.toContain('Ruled out')
    const { json } = await runJson(['explain', '--request', address], wrong)
    expect(json).toMatchObject({
      ok: false,
      code: 'ERR_SIGNATURE_MISMATCH',
      finding: `Your secret is ${keys} [other-secret].`,
      hypotheses: [{ names: ['other-secret'], versions: ['v3'] }],
      questions: [],
      ruledOut: [],
      notTried: [],
    })
  })

  it('says more than that v1 matches, if it does', async () => {
    const { sandbox, address } = await sentDelivery()
    const world = { env: { ...wrong.env, PAYMENT_API_KEY: sandbox.apiKeys.account } }
    const { stdout } = await run(['explain', '--request', address, '--versions', 'v1,v3'], world)
    expect(stdout).toMatch(
      /^Your secret is sha256:\w{8}, the sandbox signs with sha256:\w{8} \[other-secret\]\.\n/,
    )
    expect(stdout).toContain('other-secret (proven with v3)')
    expect(stdout.match(/other-secret/g)).toHaveLength(2)
  })

  it.each([
    ['was changed after it was signed', { tamper: true }],
    ['was signed with another secret on purpose', { wrong_secret: true }],
  ])('names no secret if the delivery %s', async (_, change) => {
    const { address } = await sentDelivery(change)
    const { code, stdout } = await run(['explain', '--request', address], wrong)
    expect(code).toBe(1)
    expect(stdout).not.toContain('the sandbox signs with')
  })

  it('names no secret if another cause is proven', async () => {
    const { sandbox, address } = await sentDelivery()
    const spaced = { env: { WEBHOOK_SECRET: ` ${sandbox.secret}` } }
    const { stdout } = await run(['explain', '--request', address], spaced)
    expect(stdout).toContain('[key-white-space]')
    expect(stdout).not.toContain('the sandbox signs with')
  })

  it.each([
    ['nothing', null, ''],
    ['no sandbox', 404, 'not found'],
    ['no JSON', 200, '<!doctype html>'],
    ['no secret', 200, '{"data":{}}'],
    ['an empty secret', 200, '{"data":{"webhook_signature_secret":""}}'],
    [
      'its secret, which is the given one',
      200,
      '{"data":{"webhook_signature_secret":"another_signature_key"}}',
    ],
    ['a secret that did not sign it', 200, '{"data":{"webhook_signature_secret":"a_third_signature_key"}}'],
  ])('asks for the key as ever if the address answers %s', async (_, status, text) => {
    const { url, received } = await startEndpoint((res, { method }) => {
      if (method === 'GET') res.end(JSON.stringify(envelope))
      else if (status === null) res.destroy()
      else res.writeHead(status).end(text)
    })
    const address = new URL('/deliveries/dlv_1/', url).href
    const { code, stdout } = await run(['explain', '--request', address, ...now], wrong)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Is the key that of another organization, /)
    expect(received.map((request) => `${request.method} ${request.url}`)).toEqual([
      'GET /_sandbox/deliveries/dlv_1/',
      'POST /_sandbox/keys/reveal/',
    ])
  })

  it('asks no other address for a secret, and no sandbox if the delivery verifies', async () => {
    const other = await startEndpoint((res) => res.end(JSON.stringify(envelope)))
    expect((await run(['explain', '--request', other.url, ...now], wrong)).code).toBe(1)
    const address = new URL('/deliveries/dlv_1/', other.url).href
    expect((await run(['explain', '--request', address, ...now], { env })).code).toBe(0)
    expect(other.received.map(({ method }) => method)).toEqual(['GET', 'GET'])
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
    const port = await freePort()
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
