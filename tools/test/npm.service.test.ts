import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { pack, succeed } from '../npm.js'

/** The environment in which `npm` has this version, from the cache of npm if it was there before. */
async function withNpm(version: string) {
  const line = ['npm', 'exec', '--yes', '--prefer-offline', `--package=npm@${version}`, '--']
  const path = await succeed(tmpdir(), [...line, 'node', '--print', 'process.env.PATH'])
  const env = { ...process.env, PATH: [path.split(delimiter)[0], process.env['PATH']].join(delimiter) }
  expect(await succeed(tmpdir(), ['npm', '--version'], env)).toMatch(new RegExp(`^${version}\\.`))
  return env
}

it('npm 11 and npm 12 pack the same tarballs, in the same order', async () => {
  const root = mkdtempSync(join(tmpdir(), 'service-signature-npm-'))
  onTestFinished(() => {
    rmSync(root, { recursive: true })
  })
  writeFileSync(join(root, 'package.json'), '{"private":true,"workspaces":["packages/*"]}')
  const folders = ['packages/two', 'packages/one']
  for (const folder of folders) {
    mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(
      join(root, folder, 'package.json'),
      JSON.stringify({ name: `@own/${folder.slice(9)}`, version: '1.2.3' }),
    )
  }
  const packedBy = async (version: string) => {
    mkdirSync(join(root, version))
    const packed = await pack(root, folders, join(root, version), await withNpm(version))
    return packed.map(({ name, filename }) => ({
      name,
      bytes: readFileSync(join(root, version, filename), 'base64'),
    }))
  }
  const tarballs = await packedBy('11')
  expect(tarballs.map(({ name }) => name)).toEqual(['@own/two', '@own/one'])
  expect(await packedBy('12')).toEqual(tarballs)
})
