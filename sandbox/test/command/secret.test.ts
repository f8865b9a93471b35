import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FakeIo } from '../../../packages/terminal/test/support/fake-io.js'
import { file } from '../../../packages/terminal/test/support/files.js'
import { keySeedOfProject, sandbox, type SandboxOptions } from '../../command/sandbox.js'
import { temporaryFolder } from '../support/folder.js'
import { running } from '../support/running.js'

/** The secret that a start prints. */
async function secretOf(env: Record<string, string>, options: SandboxOptions = {}): Promise<string> {
  const { io, end } = await running((io) => sandbox({ port: '0', ...options, json: true }, io), { env })
  await end()
  expect(io.errors).toBe('')
  return (JSON.parse(io.text) as { secret: string }).secret
}

describe('the secret of a project', () => {
  it('is the same at the next start, and another one with --new-secret from then on', async () => {
    const env = { XDG_STATE_HOME: temporaryFolder() }
    const first = await secretOf(env)
    expect(await secretOf(env)).toBe(first)
    const second = await secretOf(env, { newSecret: true })
    expect(second).not.toBe(first)
    expect(await secretOf(env)).toBe(second)
  })

  it('is that of the seed with --seed, and nothing is written', async () => {
    const state = temporaryFolder()
    expect(await secretOf({ XDG_STATE_HOME: state }, { seed: 'a' })).toBe(await secretOf({}, { seed: 'a' }))
    expect(readdirSync(state)).toEqual([])
  })

  it('is another one each time where there is no folder of the user', async () => {
    expect(await secretOf({})).not.toBe(await secretOf({}))
  })

  it.each([{ seed: 'x' }, { data: 'x' }])('cannot be made new with %j', async (options) => {
    await expect(sandbox({ newSecret: true, ...options }, new FakeIo())).rejects.toThrow(
      '--new-secret does not go with --seed or --data.',
    )
  })
})

describe('keySeedOfProject', () => {
  it('writes a file that only the user can read', () => {
    const HOME = temporaryFolder()
    const seed = keySeedOfProject(new FakeIo({ env: { HOME } }), { isNew: false })
    const folder = join(HOME, '.local', 'state', 'service-signature')
    const [name] = readdirSync(folder) as [string]
    expect(readFileSync(join(folder, name), 'utf8')).toBe(`${seed!}\n`)
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('has a seed for each folder of a package, or else for the folder itself', () => {
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

  it('remarks that the secret is not kept where nothing can be written', () => {
    const io = new FakeIo({ env: { XDG_STATE_HOME: file('') } })
    expect(keySeedOfProject(io, { isNew: false })).toBeUndefined()
    expect(io.errors).toMatch(/^The secret is not kept for the next start: ENOTDIR/)
  })
})
