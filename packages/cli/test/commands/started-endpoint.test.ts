import { UsageError, type Io } from '@service-signature/terminal'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { freePort } from '@service-signature/contract/free-port'
import { describe, expect, it, vi } from 'vitest'
import { run as runAudit, type AuditOptions } from '../../src/commands/audit.js'
import { serve } from '../../../../sandbox/test/support/serve.js'
import { FakeIo } from '../../../terminal/test/support/fake-io.js'
import { run, type Outcome } from '../support/command.js'
import { file } from '../../../terminal/test/support/files.js'
import { bothKeys, secret } from '../support/truth.js'

const node = JSON.stringify(process.execPath)

/** A program that listens on a port, and answers each request by this code. Its name is a command line. */
function program(port: number, onRequest: string, onListening = ''): string {
  const source = `import { createServer, get } from 'node:http'
    console.log('connecting to the database')
    let count = 0
    createServer((req, res) => { count++; req.resume(); ${onRequest} }).listen(${port}, '127.0.0.1', () => { ${onListening} })`
  return `${node} ${JSON.stringify(file(source, 'endpoint.mjs'))}`
}

const ACCEPTS = 'res.writeHead(204).end()'

async function audit(url: string, options: AuditOptions, world: Partial<Io> = {}): Promise<Outcome> {
  const io = new FakeIo({ env: bothKeys })
  const code = await runAudit(url, options, Object.assign(io, world))
  return { code, stdout: io.text, stderr: io.errors }
}

async function isClosed(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException).code === 'ECONNREFUSED',
  )
}

describe('audit --start', () => {
  it('starts the endpoint, audits it, and ends it', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/webhooks`
    const world = { env: bothKeys, now: Date.now() / 1000 }
    const argv = ['audit', url, '--only', 'genuine purchase', '--start', program(port, ACCEPTS)]
    const { code, stdout, stderr } = await run([...argv, '--start-timeout', '60'], world)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('1 of 1 cases passed')
    expect(stdout).not.toContain('database')
    expect(await isClosed(url)).toBe(true)
  })

  it('ends all processes that the command has started', async () => {
    const [port, other] = [await freePort(), await freePort()]
    const url = `http://127.0.0.1:${port}/webhooks`
    const start = `${program(other, ACCEPTS)} & ${program(port, ACCEPTS)} & wait`
    expect(await audit(url, { only: 'genuine purchase', start })).toMatchObject({ code: 0 })
    expect(await isClosed(url)).toBe(true)
    expect(await isClosed(`http://127.0.0.1:${other}/`)).toBe(true)
  })

  it('gives the endpoint the environment of the command', async () => {
    const port = await freePort()
    const answer = `res.writeHead(process.env.SERVICE_SIGNATURE_SECRET === ${JSON.stringify(secret)} ? 204 : 500).end()`
    const start = program(port, answer)
    const { code } = await audit(`http://127.0.0.1:${port}/`, { only: 'genuine purchase', start })
    expect(code).toBe(0)
  })

  it.each([
    ['fails', `${node} -e "console.error('no database'); process.exit(7)"`, 'exit code 7', 'no database'],
    ['ends early', 'true', 'exit code 0', 'It printed nothing.'],
    ['is killed', 'kill -KILL $$', 'SIGKILL', 'It printed nothing.'],
    ['does not exist', 'no-such-command-here', 'exit code 127', 'no-such-command-here'],
  ])('with a command that %s ends with 2, and what it printed', async (_what, start, how, printed) => {
    const url = `http://127.0.0.1:${await freePort()}/`
    const world = { env: bothKeys, now: Date.now() / 1000 }
    const { code, stdout, stderr } = await run(['audit', url, '--start', start], world)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`ended with ${how} before it listened on 127.0.0.1:`)
    expect(stderr).toContain(printed)
  })

  it('with a command that does not listen there in time ends with 2, and ends the command', async () => {
    let later = 0
    const now = vi.spyOn(performance, 'now').mockImplementation(() => later)
    const called = await serve(createServer((_req, res) => res.end(() => (later = 61_000))))
    const [port, other] = [await freePort(), await freePort()]
    const start = program(other, ACCEPTS, `get(${JSON.stringify(called)})`)
    const failed = audit(`http://127.0.0.1:${port}/`, { start, startTimeout: '60' })
    await expect(failed).rejects.toThrow(UsageError)
    await expect(failed).rejects.toThrow(
      `does not listen on 127.0.0.1:${port} after 60 s. If it needs longer, pass --start-timeout.`,
    )
    now.mockRestore()
    expect(await isClosed(`http://127.0.0.1:${other}/`)).toBe(true)
  })

  it('starts nothing where something listens already', async () => {
    const listener = vi.fn()
    const url = await serve(createServer(listener))
    const failed = audit(url, { start: 'true' })
    await expect(failed).rejects.toThrow(UsageError)
    await expect(failed).rejects.toThrow('Stop it, or leave out --start to audit it.')
    expect(listener).not.toHaveBeenCalled()
  })

  it('starts nothing for an address that is not one', async () => {
    const marker = file('', 'marker')
    const failed = audit('localhost', { start: `rm ${JSON.stringify(marker)}` })
    await expect(failed).rejects.toThrow('The address is not a URL')
    expect(existsSync(marker)).toBe(true)
  })

  it('reports what an endpoint has printed that ends during the audit', async () => {
    const port = await freePort()
    const start = program(
      port,
      `if (count === 1) ${ACCEPTS}; else { console.error('boom'); process.exit(9) }`,
    )
    const { code, stdout, stderr } = await audit(`http://127.0.0.1:${port}/`, { only: 'stale', start })
    expect(code).toBe(3)
    expect(stdout).toContain('does not answer any more')
    expect(stderr).toMatch(/^The endpoint stopped answering\. It printed:\n(?:.*\n)*boom\n$/)
  })

  it('at Ctrl+C ends the endpoint, and exits with 130', async () => {
    const keyboard = createServer((_req, res) => res.end())
    const called = await serve(keyboard)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/webhooks`
    // It does not answer.
    const start = program(port, `get(${JSON.stringify(called)})`)
    const { code, stdout } = await audit(
      url,
      { start },
      { untilSignal: () => once(keyboard, 'request').then(() => undefined) },
    )
    expect(code).toBe(130)
    expect(stdout).toContain('Cancelled: 0 passed, 0 failed')
    expect(await isClosed(url)).toBe(true)
  })

  it('at Ctrl+C before it listens ends it, too', async () => {
    const keyboard = createServer((_req, res) => res.end())
    const called = await serve(keyboard)
    const source = `import { get } from 'node:http'; get(${JSON.stringify(called)}); setInterval(() => undefined, 1e6)`
    const start = `${node} ${JSON.stringify(file(source, 'endpoint.mjs'))}`
    const url = `http://127.0.0.1:${await freePort()}/`
    expect(
      await audit(url, { start }, { untilSignal: () => once(keyboard, 'request').then(() => undefined) }),
    ).toMatchObject({ code: 130 })
  })

  it.each(['http://127.0.0.1/', 'https://127.0.0.1/'])(
    'waits for the usual port of %s, and exits with 2 if nothing answers there in time',
    async (url) => {
      const start = `${node} --eval "setInterval(() => undefined, 1e6)"`
      await expect(audit(url, { start, startTimeout: '0.01' })).rejects.toThrow(UsageError)
    },
  )
})
