import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { builtIn, install, withInstallScript } from '../install.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const listed = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: root, encoding: 'utf8' })
const folders = listed
  .trim()
  .split('\n')
  .map((file) => dirname(file))
const BINARY = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'

describe.each(folders)('the packages of %s', (folder) => {
  it('with an install script are named in "allowScripts", and those that run it have a known file', () => {
    const { allowScripts = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      allowScripts?: Record<string, boolean>
    }
    const names = withInstallScript(join(root, folder)).map(({ name }) => name)
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(names)].sort())
    for (const { file } of builtIn(join(root, folder))) expect(file).not.toMatch(/undefined$/)
  })
})

describe('install', () => {
  /** A folder with one package that has to be built, and an npm that runs these lines of a shell. */
  function folderWith(npm: string, optional = false) {
    const folder = mkdtempSync(join(tmpdir(), 'service-signature-install-'))
    onTestFinished(() => {
      vi.unstubAllEnvs()
      rmSync(folder, { recursive: true })
    })
    const packages = { 'node_modules/better-sqlite3': { hasInstallScript: true, optional } }
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
    writeFileSync(join(folder, 'package.json'), '{"allowScripts":{"better-sqlite3":true}}')
    mkdirSync(join(folder, 'bin'))
    writeFileSync(
      join(folder, 'bin/npm'),
      `#!/bin/sh\necho "$1" >> calls\nmkdir -p ${dirname(BINARY)}\n${npm}`,
    )
    chmodSync(join(folder, 'bin/npm'), 0o755)
    vi.stubEnv('PATH', [join(folder, 'bin'), process.env['PATH']].join(delimiter))
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    return folder
  }

  it('fails each time if npm succeeds without having built what it had to', () => {
    const folder = folderWith('exit 0')
    for (let time = 0; time < 2; time += 1)
      expect(() => {
        install(folder)
      }).toThrow(`npm rebuild made no ${BINARY} in ${folder}`)
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe('ci\nrebuild\nrebuild\n')
  })

  it('reports an optional package that does not build, so that only the tests that need it are left out', () => {
    const folder = folderWith('[ "$1" = ci ]', true)
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    install(folder)
    expect(printed).toHaveBeenCalledExactlyOnceWith(
      `npm rebuild made no ${BINARY} in ${folder}. Tests that need better-sqlite3 are left out.`,
    )
  })

  it('does nothing when all of the lock file was unpacked and built before', () => {
    const folder = folderWith(`[ "$1" = ci ] || touch ${BINARY}`)
    install(folder)
    install(folder)
    expect(existsSync(join(folder, BINARY))).toBe(true)
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe('ci\nrebuild\n')
  })
})
