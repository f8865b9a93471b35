import { startSandbox } from '@service-signature/sandbox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Endpoint } from '../../../../sandbox/test/support/endpoint.js'
import { main } from '../../src/main.js'
import { run } from '../support/command.js'
import { startEndpoint } from '../support/endpoint.js'
import { FakeIo } from '../support/fake-io.js'
import { file } from '../support/files.js'

const TOKEN = 'a-token-of-the-tests_0123456789'
const HOW = 'Set SANDBOX_TOKEN to its token, or pass the address that it printed, with ?token=...'

/** A sandbox that needs the token, and its endpoint. */
async function closedSandbox() {
  const endpoint = await Endpoint.start()
  const sandbox = await startSandbox({ token: TOKEN, defaultEndpoint: endpoint.url })
  onTestFinished(() => sandbox.close())
  return { sandbox, endpoint, url: sandbox.url }
}

/** A command that runs a sandbox, until the test ends. */
async function running(argv: readonly string[], env: Record<string, string> = {}): Promise<FakeIo> {
  const io = new FakeIo({ env })
  const code = main([...argv, '--port', '0', '--seed', 'a'], io)
  onTestFinished(async () => {
    io.emit('SIGINT')
    await code
  })
  await io.until(1)
  return io
}

async function statusOf(url: string, token: string): Promise<number> {
  return (await fetch(`${url}/_sandbox/overview/`, { headers: { Authorization: `Bearer ${token}` } })).status
}

describe('sandbox and listen', () => {
  it.each([
    ['sandbox', ['sandbox'], /^The sandbox is at (http:\/\/127\.0\.0\.1:\d+)\/\?token=([\w-]{32}) \| /],
    [
      'listen',
      ['listen', '--forward-to', 'http://127.0.0.1:1/'],
      /^Open (http:\/\/127\.0\.0\.1:\d+)\/\?token=([\w-]{32}) to see every delivery\./m,
    ],
  ])('%s prints an address with the token that other machines need', async (_, argv, pattern) => {
    const { text } = await running([...argv, '--host', '0.0.0.0'])
    const [, url, token] = pattern.exec(text)!
    expect(await statusOf(url!, token!)).toBe(200)
    expect(await statusOf(url!, `${token!}x`)).toBe(401)
    if (argv[0] === 'listen')
      expect(text).toContain(`run: SANDBOX_TOKEN=${token!} npx service-signature trigger`)
  })

  it('print it as JSON, and nothing of it without --host', async () => {
    const open = JSON.parse((await running(['sandbox', '--json'])).text) as object
    expect(Object.keys(open)).toEqual(['url', 'secret', 'apiKeys', 'accountId'])
    const closed = await running(['sandbox', '--json', '--host', '0.0.0.0'])
    const { url, token } = JSON.parse(closed.text) as { url: string; token: string }
    expect(await statusOf(url, token)).toBe(200)
  })

  it.each([
    ['SANDBOX_TOKEN', [], { SANDBOX_TOKEN: TOKEN }],
    ['--token-file', ['--token-file', () => file(`${TOKEN}\n`)], { SANDBOX_TOKEN: `${TOKEN}x` }],
  ] as const)('take it from %s', async (_, given, env) => {
    const argv = given.map((word) => (typeof word === 'string' ? word : word()))
    const io = await running(['sandbox', '--json', ...argv], env)
    expect(JSON.parse(io.text)).toMatchObject({ token: TOKEN })
  })

  it('ignore an empty SANDBOX_TOKEN', async () => {
    const io = await running(['sandbox', '--json'], { SANDBOX_TOKEN: '' })
    expect(JSON.parse(io.text)).not.toHaveProperty('token')
  })

  it('refuse one that cannot be, without showing it', async () => {
    for (const command of [['sandbox'], ['listen', '--forward-to', 'http://127.0.0.1:1/', '--port', '0']]) {
      const { code, stdout, stderr } = await run([...command, '--seed', 'a'], {
        env: { SANDBOX_TOKEN: 'too short' },
      })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toBe('error: "token" must be 16 to 100 letters, digits, "-", "." or "_"\n')
    }
    const shown = await run(['sandbox', '--token', TOKEN])
    expect(shown.code).toBe(2)
    expect(shown.stderr).toContain('set SANDBOX_TOKEN, or pass --token-file <file>')
    expect(shown.stderr).not.toContain(TOKEN)
  })
})

describe('trigger', () => {
  it('reads SANDBOX_TOKEN, or the token within the printed address', async () => {
    const { endpoint, url } = await closedSandbox()
    const argv = ['trigger', 'intent.processed', '--sandbox']
    const outcomes = [
      await run([...argv, url], { env: { SANDBOX_TOKEN: TOKEN } }),
      await run([...argv, `${url}/?token=${TOKEN}`], { env: { SANDBOX_TOKEN: 'that-of-another-sandbox' } }),
    ]
    for (const { code, stdout, stderr } of outcomes) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).not.toContain(TOKEN)
    }
    expect(endpoint.types).toEqual(['intent.processed', 'intent.processed'])
  })

  it.each([[{}], [{ SANDBOX_TOKEN: `${TOKEN}x` }]])(
    'with the environment %j says how to pass it',
    async (env) => {
      const { endpoint, url } = await closedSandbox()
      const { code, stdout, stderr } = await run(['trigger', 'intent.processed', '--sandbox', url], { env })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toBe(`error: The sandbox at ${url} needs its token. ${HOW}\n`)
      expect(endpoint.received).toEqual([])
    },
  )

  it('does not show the token of a malformed address', async () => {
    const { code, stderr } = await run(['trigger', 'intent', '--sandbox', `127.0.0.1:4000/?token=${TOKEN}`])
    expect(code).toBe(2)
    expect(stderr).toBe(
      'error: --sandbox must be an address such as http://127.0.0.1:4000, got 127.0.0.1:4000/\n',
    )
  })
})

describe('explain and verify', () => {
  async function sent() {
    const { sandbox, url } = await closedSandbox()
    const answer = await fetch(`${url}/_sandbox/compose/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ template: 'intent-processed' }),
    })
    const { data } = (await answer.json()) as { data: { deliveries: readonly [{ id: string }] } }
    await sandbox.drained()
    return { secret: sandbox.secret, address: `${url}/deliveries/${data.deliveries[0].id}/` }
  }

  it('read a delivery and the secret of a sandbox with SANDBOX_TOKEN, or the token within the address', async () => {
    const { secret, address } = await sent()
    const env = { WEBHOOK_SECRET: secret, SANDBOX_TOKEN: TOKEN }
    expect(await run(['explain', '--request', address], { env })).toMatchObject({ code: 0 })
    const printed = `${address}?attempt=1&token=${TOKEN}`
    const wrong = { env: { WEBHOOK_SECRET: 'another_signature_key' } }
    const { code, stdout, stderr } = await run(['explain', '--request', printed], wrong)
    expect(code).toBe(1)
    expect(stdout).toContain('[other-secret]')
    expect(stdout + stderr).not.toContain(TOKEN)
  })

  it('say how to pass it if it is missing', async () => {
    const { secret, address } = await sent()
    const { code, stdout, stderr } = await run(['verify', '--request', address], {
      env: { WEBHOOK_SECRET: secret },
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^error: http:\/\/127\.0\.0\.1:\d+\/_?\S*deliveries\/dlv_\w+\/ answered 401\. /)
    expect(stderr).toContain(HOW)
  })

  it('send SANDBOX_TOKEN to no other address, and leave its query as it is', async () => {
    const other = await startEndpoint((res) => res.writeHead(401).end())
    const env = { WEBHOOK_SECRET: 'any_signature_key', SANDBOX_TOKEN: TOKEN }
    const { stderr } = await run(['verify', '--request', `${other.url}?token=its-own`], { env })
    expect(stderr).toBe(`error: ${other.url} answered 401.\n`)
    const [{ url, rawHeaders }] = other.received as [(typeof other.received)[number]]
    expect(url).toBe('/webhooks?token=its-own')
    expect(rawHeaders.join()).not.toContain(TOKEN)
  })
})
