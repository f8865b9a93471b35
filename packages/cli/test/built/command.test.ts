import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startEndpoint } from '../support/endpoint.js'
import { file } from '../../../terminal/test/support/files.js'
import { env, known, secret, signed } from '../support/truth.js'

const bin = fileURLToPath(new URL('../../bin/service-signature.js', import.meta.url))
const plain = { PATH: process.env['PATH'] }

/** Runs the built command in a process of its own, to its end. */
function run(argv: readonly string[], { input = '', env = {} }: { input?: string; env?: object } = {}) {
  const options = { input, env: { ...plain, ...env }, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], options)
  return { status, stdout, stderr }
}

/** Runs a line of a shell, in which `service-signature` is the built command. */
async function shell(line: string, input = ''): Promise<{ status: number; stdout: string; stderr: string }> {
  const script = `set -o pipefail; service-signature() { "${process.execPath}" "${bin}" "$@"; }; ${line}`
  const child = spawn('bash', ['--norc', '-c', script], { env: { ...plain, ...env } })
  child.stdin.end(input)
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ])
  return { status, stdout, stderr }
}

/** An empty folder for the test that runs. */
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'service-signature-'))
  onTestFinished(() => {
    rmSync(path, { recursive: true })
  })
  return path
}

describe('the built command', () => {
  it('signs the known answer of public code, from a pipe into a pipe', async () => {
    const line = 'service-signature sign --versions v3 --timestamp 1743090080 | cat'
    await expect(shell(line, known.body)).resolves.toEqual({
      status: 0,
      stdout: `${known.header}\n`,
      stderr: '',
    })
  })

  it('verifies a delivery with the secret from a pipe', async () => {
    const line =
      `printf %s '${secret}' | service-signature verify --secret-file - --body ${file(known.body)} ` +
      `--header '${known.header}' --now 1743090081`
    const outcome = await shell(line)
    expect(outcome).toMatchObject({ status: 0, stderr: '' })
    expect(outcome.stdout).toMatch(/^Genuine: /)
  })

  it('refuses a forgery with 1, in a pipe too', async () => {
    const line = `service-signature verify --header '${signed('other')}' --now 1743090081 | cat`
    const outcome = await shell(line, known.body)
    expect(outcome).toMatchObject({ status: 1, stderr: '' })
    expect(outcome.stdout).toMatch(/^ERR_SIGNATURE_MISMATCH: /)
  })

  it('ends with 2 on wrong use', () => {
    expect(run(['verfy'])).toEqual({
      status: 2,
      stdout: '',
      stderr:
        "error: Unknown command 'verfy'. Did you mean verify?\nFor what there is: npx service-signature --help\n",
    })
  })

  it('ends with 3 where nothing answers', () => {
    // Port 1 of this machine is reserved, and nothing listens there.
    const outcome = run(['send', 'http://127.0.0.1:1/', '--json'], { env })
    expect(outcome).toMatchObject({ status: 3, stderr: '' })
    expect(JSON.parse(outcome.stdout)).toMatchObject({ error: { code: 'ERR_UNREACHABLE' } })
  })

  it('reports an error of the sandbox, which has classes of its own, as one of its own', () => {
    const unreachable = run(['trigger', 'a', '--sandbox', 'http://127.0.0.1:1'])
    expect(unreachable).toMatchObject({ status: 3, stdout: '' })
    expect(unreachable.stderr).toMatch(/^error: There is no sandbox at http:\/\/127\.0\.0\.1:1\. /)
    expect(run(['listen', '--json'])).toMatchObject({
      status: 2,
      stdout: expect.stringContaining('"code": "ERR_USAGE"') as string,
      stderr: '',
    })
  })

  it('keeps its exit code when the reader of the pipe has left', async () => {
    const ignoring = '| true; echo "${PIPESTATUS[0]}"'
    await expect(shell(`service-signature --help ${ignoring}`)).resolves.toEqual({
      status: 0,
      stdout: '0\n',
      stderr: '',
    })
    const forged = `service-signature verify --header '${signed('other')}' --now 1743090081`
    const late = await shell(`${forged} ${ignoring}`, known.body)
    expect(late).toEqual({ status: 0, stdout: '1\n', stderr: '' })
  })

  it('writes all of a result that is longer than the buffer of a pipe', async () => {
    const { url } = await startEndpoint((res) => res.end('y'.repeat(16_384)))
    const { status, stdout } = await shell(
      `service-signature send ${url} --repeat 20 --json | (read -rN 1 x; printf %s "$x"; cat)`,
    )
    expect(status).toBe(0)
    expect(stdout.length).toBeGreaterThan(300_000)
    expect((JSON.parse(stdout) as { deliveries: unknown[] }).deliveries).toHaveLength(20)
  })

  it('a full disk ends with 70', async () => {
    await expect(shell('service-signature --help > /dev/full')).resolves.toEqual({
      status: 70,
      stdout: '',
      stderr: expect.stringContaining('error: Cannot write the result: ENOSPC') as string,
    })
  })

  it('colors what FORCE_COLOR asks for', () => {
    const argv = ['verify', '--header', known.header, '--now', '1743090081']
    const { stdout } = run(argv, { input: known.body, env: { ...env, FORCE_COLOR: '1' } })
    expect(stdout).toContain('\u001b[32mGenuine')
  })

  it('Ctrl-C ends it with 130, while it waits for an answer', async () => {
    let arrived!: () => void
    const sent = new Promise<void>((resolve) => (arrived = resolve))
    const { url } = await startEndpoint(() => {
      arrived()
    })
    const command = spawn(process.execPath, [bin, 'send', url], {
      env: { ...plain, ...env },
      stdio: 'ignore',
    })
    await sent
    command.kill('SIGINT')
    expect(await once(command, 'exit')).toEqual([130, null])
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('the sandbox ends with 0 on %s', async (signal) => {
    const command = spawn(process.execPath, [bin, 'sandbox', '--json'], { env: { ...plain, ...env } })
    onTestFinished(() => void command.kill('SIGKILL'))
    const [line] = (await once(command.stdout, 'data')) as [Buffer]
    const { url } = JSON.parse(line.toString()) as { url: string }
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
    command.kill(signal)
    expect(await once(command, 'exit')).toEqual([0, null])
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  it('the sandbox ends at once while a client listens to the stream and a retry is due', async () => {
    const command = spawn(process.execPath, [bin, 'sandbox', '--json'], { env: plain })
    onTestFinished(() => void command.kill('SIGKILL'))
    const [line] = (await once(command.stdout, 'data')) as [Buffer]
    const { url, apiKeys } = JSON.parse(line.toString()) as { url: string; apiKeys: { account: string } }
    const post = (path: string, body: object) => {
      const headers = { 'X-Api-Key': apiKeys.account, 'Content-Type': 'application/json' }
      return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    }
    const intent = { amount: 1, amount_currency: 'EUR', webhook_url: 'http://127.0.0.1:1/' }
    const made = await post('/api/v1.4/payments/intent/', intent)
    const { data } = (await made.json()) as { data: { id: string } }
    const stream = await fetch(`${url}/_sandbox/stream`)
    await post(`/_sandbox/intents/${data.id}/pay/`, { card: '4242424242424242' })
    const exit = once(command, 'exit')
    command.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    await expect(stream.text()).rejects.toThrow('terminated')
  })

  it('without a build it is said how to make one', () => {
    const root = folder()
    mkdirSync(join(root, 'bin'))
    copyFileSync(bin, join(root, 'bin/service-signature.js'))
    copyFileSync(new URL('../../package.json', import.meta.url), join(root, 'package.json'))
    const result = spawnSync(process.execPath, [join(root, 'bin/service-signature.js')], { encoding: 'utf8' })
    expect(result).toMatchObject({
      status: 2,
      stdout: '',
      stderr: 'error: service-signature is not built. Run: npm run build\n',
    })
  })
})

/** The modules that a command line loads, as the coverage of Node lists them. */
function modulesOf(argv: readonly string[], input = ''): readonly string[] {
  const coverage = folder()
  const options = { input, env: { ...plain, ...env, NODE_V8_COVERAGE: coverage } }
  spawnSync(process.execPath, [bin, ...argv], options)
  const report: unknown = JSON.parse(readFileSync(join(coverage, readdirSync(coverage)[0]!), 'utf8'))
  return (report as { result: { url: string }[] }).result
    .map(({ url }) => url)
    .filter((url) => url.startsWith('file:'))
}

describe('a command loads its own code alone', () => {
  const files = readdirSync(new URL('../../src/commands/', import.meta.url))
  const names = files.map((file) => file.replace('.ts', ''))
  const commands = (modules: readonly string[]) =>
    modules
      .flatMap((url) => /\/cli\/dist\/(\w+)\.mjs$/.exec(url)?.[1] ?? [])
      .filter((name) => names.includes(name))

  it.each([[['--help']], [['--version']], [['send', '--help']]])('%s loads none of it', (argv) => {
    const modules = modulesOf(argv)
    expect(commands(modules)).toEqual([])
    expect(modules.filter((url) => url.includes('/packages/core/'))).toEqual([])
    // This would see it: the program itself is there.
    expect(modules.some((url) => url.endsWith('/cli/dist/main.mjs'))).toBe(true)
  })

  it('verify loads verify, and neither the audit nor what only sends', () => {
    const modules = modulesOf(['verify', '--header', known.header, '--now', '1743090081'], known.body)
    expect(commands(modules)).toEqual(['verify'])
    expect(modules.filter((url) => /cli\/dist\/signing|audit\/dist|core\/dist\/testing/.test(url))).toEqual(
      [],
    )
    expect(modules.some((url) => url.includes('/core/dist/shared-web.mjs'))).toBe(true)
  })

  const ofSandbox = (modules: readonly string[]) =>
    modules.filter((url) => /\/sandbox\/dist\/|\/node_modules\/fastify\//.test(url))

  it.each([
    ['verify', ['verify', '--header', known.header]],
    ['explain', ['explain', '--header', known.header]],
    ['sign', ['sign']],
    // Port 1 of this machine is reserved, and nothing listens there.
    ['send', ['send', 'http://127.0.0.1:1/']],
    ['audit', ['audit', 'http://127.0.0.1:1/']],
  ])('%s loads nothing of the sandbox', (name, argv) => {
    const modules = modulesOf(argv, known.body)
    expect(commands(modules)).toEqual([name])
    expect(ofSandbox(modules)).toEqual([])
  })

  it.each([[['--help']], [['--version']]])('%s loads nothing of the sandbox', (argv) => {
    expect(ofSandbox(modulesOf(argv))).toEqual([])
  })

  const own = (modules: readonly string[]) =>
    ofSandbox(modules).flatMap((url) => /\/sandbox\/dist\/(\w+)\.mjs$/.exec(url)?.[1] ?? [])

  it('sandbox loads the sandbox, and trigger only its command', () => {
    expect(own(modulesOf(['sandbox', '--port', 'none']))).toEqual(
      expect.arrayContaining(['command', 'index']),
    )
    const modules = modulesOf(['trigger', 'a', '--sandbox', 'http://127.0.0.1:1'])
    expect(own(modules)).toContain('command')
    expect(own(modules)).not.toContain('index')
    expect(modules.filter((url) => url.includes('/node_modules/fastify/'))).toEqual([])
  })
})
