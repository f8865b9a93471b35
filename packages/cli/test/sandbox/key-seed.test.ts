import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { keySeedOfProject } from '../../src/sandbox/key-seed.js'
import { temporaryFolder } from '../../../../sandbox/test/support/folder.js'
import { FakeIo } from '../../../terminal/test/support/fake-io.js'

/** The secret that a start prints. */
async function secretOf(env: Record<string, string>, ...argv: readonly string[]): Promise<string> {
  const io = new FakeIo({ env })
  const code = main(['sandbox', '--json', ...argv], io)
  await io.until(1)
  io.emit('SIGINT')
  expect(await code).toBe(0)
  expect(io.err).toEqual([])
  return (JSON.parse(io.text) as { secret: string }).secret
}

describe('The secret of the commands', () => {
  it('is the same at the next start, and another one with --new-secret from then on', async () => {
    const env = { XDG_STATE_HOME: temporaryFolder() }
    const first = await secretOf(env)
    expect(await secretOf(env)).toBe(first)
    const second = await secretOf(env, '--new-secret')
    expect(second).not.toBe(first)
    expect(await secretOf(env)).toBe(second)
  })

  it('is that of the seed with --seed, and nothing is written', async () => {
    const state = temporaryFolder()
    expect(await secretOf({ XDG_STATE_HOME: state }, '--seed', 'a')).toBe(await secretOf({}, '--seed', 'a'))
    expect(readdirSync(state)).toEqual([])
  })

  it('is another one each time where there is no folder of the user', async () => {
    expect(await secretOf({})).not.toBe(await secretOf({}))
  })

  it.each(['--seed', '--data'])('--new-secret is wrong use with %s: 2', async (option) => {
    const io = new FakeIo()
    expect(await main(['sandbox', '--new-secret', option, 'x'], io)).toBe(2)
    expect(io.err.join('')).toContain('--new-secret does not go with --seed or --data.')
  })
})

describe('The seed of the keys of a project', () => {
  it('is in a file that only the user can read', () => {
    const HOME = temporaryFolder()
    const seed = keySeedOfProject(new FakeIo({ env: { HOME } }), { isNew: false })
    const folder = join(HOME, '.local', 'state', 'service-signature')
    const [name] = readdirSync(folder) as [string]
    expect(readFileSync(join(folder, name), 'utf8')).toBe(`${seed!}\n`)
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('is that of the folder of the package, and of no other one', () => {
    const project = temporaryFolder()
    const [inner, other] = [join(project, 'src', 'a'), join(project, 'other')]
    for (const folder of [inner, other]) mkdirSync(folder, { recursive: true })
    for (const folder of [project, other]) writeFileSync(join(folder, 'package.json'), '{}')
    const io = new FakeIo({ env: { LOCALAPPDATA: temporaryFolder() } })
    const seedIn = (folder: string) => keySeedOfProject(io, { isNew: false, folder })
    expect(seedIn(inner)).toBe(seedIn(project))
    expect(seedIn(other)).not.toBe(seedIn(project))
    const bare = temporaryFolder()
    expect(seedIn(bare)).toBe(seedIn(bare))
  })

  it('is not kept, with a remark, where nothing can be written', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const io = new FakeIo({ env: { XDG_STATE_HOME: file } })
    expect(keySeedOfProject(io, { isNew: false })).toBeUndefined()
    expect(io.err.join('')).toMatch(/^The secret is not kept for the next start: ENOTDIR/)
  })
})
