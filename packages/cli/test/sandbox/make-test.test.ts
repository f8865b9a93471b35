import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { main } from '../../src/sandbox-main.js'
import { FakeIo } from '../support/fake-io.js'

const FIXTURE = {
  format: 'service-signature-delivery',
  version: 1,
  recorded_at: '2025-03-27T15:41:20.000000Z',
  type: 'intent.processed',
  url: 'http://127.0.0.1:3000/webhooks',
  method: 'POST',
  headers: {},
  body: '{}',
  answer: { status: 204 },
}

/** A folder with two recordings in "recordings", and an empty folder "test" next to it. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-signature-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  mkdirSync(join(folder, 'recordings'))
  mkdirSync(join(folder, 'test'))
  for (const name of ['1.json', '2.json']) {
    writeFileSync(join(folder, 'recordings', name), JSON.stringify(FIXTURE))
  }
  return folder
}

async function run(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const io = new FakeIo()
  const code = await main(['test', ...argv], io)
  return { code, out: io.text, err: io.err.join('') }
}

// That the file runs is tested in test/built: it imports the package.
describe('test', () => {
  it('writes a file that finds the recordings from where it is', async () => {
    const folder = project()
    const file = join(folder, 'test', 'webhooks.test.mjs')
    const outcome = await run(join(folder, 'recordings'), '--out', file)
    expect(outcome).toEqual({
      code: 0,
      out: `${file} tests 2 deliveries. Run: node --test ${file}\n`,
      err: '',
    })
    const text = readFileSync(file, 'utf8')
    expect(text).toContain("const RECORDINGS = join(import.meta.dirname, '../recordings')")
    expect(text).toContain("const url = process.env.WEBHOOK_URL ?? 'http://127.0.0.1:3000/webhooks'")
    expect(text).not.toContain('spawn')
  })

  it('puts the address and the command that starts the endpoint into the file', async () => {
    const folder = project()
    const file = join(folder, 'a.mjs')
    const url = 'http://localhost:1/it\'s?a="b"'
    await run(join(folder, 'recordings'), '--out', file, '--url', url, '--start', ' node  "server".js ')
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(`?? 'http://localhost:1/it\\'s?a="b"'\n`)
    expect(text).toContain(`await start(['node', '"server".js'])`)
  })

  it('replaces a file only with --force', async () => {
    const folder = project()
    const file = join(folder, 'a.mjs')
    writeFileSync(file, 'mine')
    const refused = await run(join(folder, 'recordings'), '--out', file)
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.err).toContain('EEXIST')
    expect(refused.err).toContain('To replace the file, pass --force.\n')
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect((await run(join(folder, 'recordings'), '--out', file, '--force')).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('replayRecorded')
  })

  it('has a help that fits a screen', async () => {
    const { code, out } = await run('--help')
    expect(code).toBe(0)
    for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  it.each([
    [[], "Missing required argument 'folder'"],
    [['a', 'b'], 'Too many arguments'],
    [['nowhere'], 'ENOENT'],
    [['a', '--outt', 'b'], '--outt'],
  ])('%j is wrong use: 2', async (argv, words) => {
    const { code, err } = await run(...argv)
    expect(code).toBe(2)
    expect(err).toContain(words)
  })
})
