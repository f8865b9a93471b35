import { UsageError, type Io } from '@service-signature/terminal'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { Writable } from 'node:stream'
import { freePort } from '@service-signature/contract/free-port'
import { describe, expect, it, vi } from 'vitest'
import { run as runAudit, type AuditOptions } from '../../src/commands/audit.js'
import { endpointOf } from '../../../audit/test/support/recipe.js'
import { serve } from '../../../audit/test/support/serve.js'
import { FakeIo } from '../../../terminal/test/support/fake-io.js'
import { run, type Outcome } from '../support/command.js'
import { file } from '../../../terminal/test/support/files.js'
import { apiKey, bothKeys, secret } from '../support/truth.js'

/** Runs the command with both keys in the environment, at the present time. */
async function audit(url: string, options: AuditOptions = {}, world: Partial<Io> = {}): Promise<Outcome> {
  const io = new FakeIo({ env: bothKeys })
  const code = await runAudit(url, options, Object.assign(io, world))
  return { code, stdout: io.text, stderr: io.errors }
}

const stale = endpointOf({ isFresh: () => true })

describe('audit', () => {
  it('takes its options from the command line', async () => {
    const url = await serve(stale)
    const world = { env: bothKeys, now: Date.now() / 1000 }
    const rest = ['--pace', '1', '--timeout', '5', '--versions', 'v3', '--concurrency', '2']
    const good = await run(
      ['audit', url, '--group', 'tampered, keys', '--only', 'a', '--json', ...rest],
      world,
    )
    expect(good).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(good.stdout)).toMatchObject({ url, versions: ['v3'], total: 12, passed: 12 })
    const bad = await run(['audit', url, '--only', 'stale', ...rest], world)
    expect(bad.code).toBe(1)
    expect(bad.stdout).toContain('  accepts  stale by an hour')
    expect(bad.stdout).toContain(
      '\n1 of 2 cases passed (50 %). It accepts deliveries that were signed long ago, or ahead of time.\n',
    )
  })

  it.each<readonly [string, RequestListener, number]>([
    ['0 if all cases passed', endpointOf({}), 0],
    ['1 if a case failed', stale, 1],
    ['1 if valid deliveries are refused', (_req, res) => res.writeHead(401).end(), 1],
    ['3 if there is no answer', (req) => req.destroy(), 3],
  ])('ends with %s', async (_what, listener, code) => {
    expect(await audit(await serve(listener), { group: 'time' })).toMatchObject({ code, stderr: '' })
  })

  it('ends with 3 and a report if the endpoint cannot be reached', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    const { code, stdout } = await audit(url)
    expect(code).toBe(3)
    expect(stdout).toContain(`Cannot reach ${url}: no connection (ECONNREFUSED).`)
    expect(stdout).toContain('\nStopped early: 0 passed, 0 failed, 68 of 68 not run.\n')
    const { stdout: json } = await audit(url, { json: true })
    expect(JSON.parse(json)).toMatchObject({ state: 'stopped', reason: 'no-answer', total: 68 })
  })

  it('writes JUnit XML and an HTML page, if asked for', async () => {
    const [junit, html] = [file('', 'junit.xml'), file('', 'report.html')]
    await audit(await serve(stale), { junit, html, only: 'time 0' })
    expect(readFileSync(junit, 'utf8')).toContain('<failure type="accepts" message="got 204; expected 4xx">')
    expect(readFileSync(html, 'utf8')).toContain(
      '<p class="summary bad">0 of 1 cases passed (0 %). It accepts deliveries',
    )
  })

  describe('with --summary', () => {
    const world = { env: bothKeys, now: Date.now() / 1000 }
    const verdict =
      '### Webhook audit: 0 of 1 cases passed (0 %). It accepts deliveries that were signed long ago, or ahead of time\n\n|'

    it('writes Markdown into the file that it names, next to the report on standard output', async () => {
      const path = file('older', 'audit.md')
      const argv = ['audit', await serve(stale), '--only', 'stale by', '--summary', path]
      const { code, stdout } = await run(argv, world)
      expect(code).toBe(1)
      expect(stdout).toMatch(/^Audit of /)
      expect(readFileSync(path, 'utf8').startsWith(verdict)).toBe(true)
    })

    it('adds it to the file that GITHUB_STEP_SUMMARY names', async () => {
      const path = file('of another command\n', 'step')
      const env = { ...bothKeys, GITHUB_STEP_SUMMARY: path }
      const argv = ['audit', await serve(stale), '--only', 'stale by', '--json', '--summary']
      const { code, stdout } = await run(argv, { ...world, env })
      expect(code).toBe(1)
      expect(JSON.parse(stdout)).toHaveProperty('failed', 1)
      expect(readFileSync(path, 'utf8').startsWith(`of another command\n${verdict}`)).toBe(true)
    })

    it.each([[undefined], ['']])(
      'prints it instead of the report if GITHUB_STEP_SUMMARY is %j',
      async (GITHUB_STEP_SUMMARY) => {
        const env = { ...bothKeys, GITHUB_STEP_SUMMARY }
        const argv = ['audit', await serve(stale), '--only', 'stale by', '--summary']
        const { code, stdout } = await run(argv, { ...world, env })
        expect(code).toBe(1)
        expect(stdout.startsWith(verdict)).toBe(true)
        expect(stdout).not.toContain('Audit of')
      },
    )

    it('and --json prints one document, so that the summary needs a file', async () => {
      const failed = audit(await serve(stale), { summary: true, json: true })
      await expect(failed).rejects.toThrow('--json and --summary both print. Name a file: --summary <file>.')
    })
  })

  it('says which keys are missing', async () => {
    const url = 'http://127.0.0.1/'
    const failed = audit(url, {}, { env: { SERVICE_SIGNATURE_API_KEY: apiKey } })
    await expect(failed).rejects.toThrow('No signing secret. Set WEBHOOK_SECRET or pass --secret-file')
    const withoutApiKey = audit(url, { versions: 'v1' }, { env: { SERVICE_SIGNATURE_SECRET: secret } })
    await expect(withoutApiKey).rejects.toThrow(
      'No account API key. Set PAYMENT_API_KEY or pass --api-key-file',
    )
  })

  it.each([
    [{ versions: 'v4' }, '--versions'],
    [{ versions: '' }, '--versions'],
    [{ timeout: '0' }, '--timeout'],
    [{ timeout: 'soon' }, '--timeout'],
    [{ timeout: '3601' }, '--timeout'],
    [{ timeout: 'Infinity' }, '--timeout'],
    [{ pace: '-1' }, '--pace'],
    [{ pace: '1.5' }, '--pace'],
    [{ pace: 'slow' }, '--pace'],
    [{ pace: '60001' }, '--pace'],
    [{ concurrency: '0' }, '--concurrency'],
    [{ concurrency: '33' }, '--concurrency must be at most 32, got 33.'],
    [{ group: 'times' }, '--group must be one of genuine, unsigned,'],
    [{ only: 'no such case' }, 'No case has "no such case" in its name'],
    [{ group: 'keys', only: 'stale' }, 'No case has "stale" in its name'],
    [{ group: 'survives' }, '--group survives needs --survives, because it books 1,000 payments.'],
    [{ startTimeout: '0' }, '--start-timeout'],
    [{ live: true, test: true }, '--live and --test exclude each other.'],
    [{ account: '' }, '--account must not be empty.'],
    [{ secretFile: '/dev/null/secret' }, 'Cannot read /dev/null/secret'],
  ] as const)('refuses %j, and sends nothing', async (options, reason) => {
    const listener = vi.fn()
    const url = await serve(listener)
    const failed = audit(url, options)
    await expect(failed).rejects.toThrow(UsageError)
    await expect(failed).rejects.toThrow(reason)
    expect(listener).not.toHaveBeenCalled()
  })

  it('refuses an endpoint that is not on this machine, unless it is confirmed', async () => {
    const address = (await serve(endpointOf({}))).replace('127.0.0.1', '0.0.0.0')
    const failed = audit(address, { only: 'stale' })
    await expect(failed).rejects.toThrow(UsageError)
    await expect(failed).rejects.toThrow('pass --i-own-this-endpoint if you may do that to this endpoint.')
    expect(await audit(address, { only: 'stale', iOwnThisEndpoint: true })).toMatchObject({ code: 0 })
  })

  it('reports a file that cannot be written as wrong use', async () => {
    const failed = audit(await serve(endpointOf({})), { only: 'stale', junit: '/dev/null/junit.xml' })
    await expect(failed).rejects.toThrow(UsageError)
    await expect(failed).rejects.toThrow('Cannot write /dev/null/junit.xml: ENOTDIR.')
  })

  it('passes on a fault of its own', async () => {
    const failed = audit(await serve(endpointOf({})), { only: 'stale' }, { now: () => NaN })
    await expect(failed).rejects.toThrow(RangeError)
  })
})

describe('whose delivery it is', () => {
  /** Accepts intent events of one account and one mode, and purchases of any. */
  const ofBerlinLive = endpointOf({
    handle(body, res) {
      const text = String(body)
      const isOurs = /"account":(?:\{"id":)?"acc_berlin"/.test(text) && !text.includes('"is_live":false')
      res.writeHead(isOurs ? 204 : 403).end()
    },
  })
  const world = { env: bothKeys, now: Date.now() / 1000 }

  it('is audited with --account, and --live or --test', async () => {
    const url = await serve(ofBerlinLive)
    const others = ['--survives', '--group', 'survives', '--only', 'other']
    const argv = ['audit', url, ...others, '--account', 'acc_berlin']
    const live = await run([...argv, '--live'], world)
    expect(live.code).toBe(0)
    expect(live.stdout).toContain('\n3 of 3 cases passed (100 %).\n')
    expect(live.stdout).not.toContain('Not checked')
    const test = await run(['audit', await serve(endpointOf({})), ...others, '--test'], world)
    expect(test.code).toBe(1)
    expect(test.stdout).toContain('  accepts  other mode, intent')
  })

  it('without them is a note, in the words of the command', async () => {
    const url = await serve(endpointOf({}))
    const both = await run(['audit', url], world)
    expect(both.code).toBe(0)
    expect(both.stdout.replaceAll('\n', ' ')).toContain(
      'which have the same secret. Pass --account <id>, --live or --test and --survives.',
    )
    const { stdout } = await run(['audit', url, '--test', '--json'], world)
    expect(stdout).toContain('which have the same secret. Pass --account <id> and --survives.')
  })

  it('that an endpoint refuses is explained in the words of the command', async () => {
    const { code, stdout } = await run(['audit', await serve(ofBerlinLive), '--live', '--json'], world)
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      reason: 'refused',
      problem: expect.stringContaining('403') as string,
    })
  })
})

describe('the progress of an audit', () => {
  it('is one line on standard error at a terminal, rewritten after each case, and erased at the end', async () => {
    const screen = Object.assign(new Screen(), { isTTY: true })
    const { stdout } = await audit(await serve(stale), { only: 'stale' }, { stderr: screen })
    expect(screen.text).toBe(
      '\rAuditing: 0 of 2 cases, 0 failed' +
        '\rAuditing: 1 of 2 cases, 1 failed' +
        '\rAuditing: 2 of 2 cases, 1 failed' +
        '\r\u001b[K',
    )
    expect(stdout).not.toContain('Auditing')
  })

  it('is erased if the audit fails', async () => {
    const screen = Object.assign(new Screen(), { isTTY: true })
    const failed = audit('http://192.0.2.1/', {}, { stderr: screen })
    await expect(failed).rejects.toThrow(UsageError)
    expect(screen.text.endsWith('\r\u001b[K')).toBe(true)
  })

  it('is not written into a file or a pipe', async () => {
    const { stderr, code } = await audit(await serve(stale), { only: 'stale' }, { isTerminal: true })
    expect({ stderr, code }).toEqual({ stderr: '', code: 1 })
  })
})

class Screen extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: unknown, done: () => void): void {
    this.text += String(chunk)
    done()
  }
}
