import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { install, WORKS, withInstallScript } from '../install.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const listed = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: root, encoding: 'utf8' })
const folders = listed
  .trim()
  .split('\n')
  .map((file) => dirname(file))
const PACKAGE = 'node_modules/better-sqlite3'

describe.each(folders)('the packages of %s', (folder) => {
  it('with an install script are named in "allowScripts", and there is a check of those that may run it', () => {
    const { allowScripts = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      allowScripts?: Readonly<Record<string, boolean>>
    }
    const names = withInstallScript(join(root, folder)).map(({ name }) => name)
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(names)].sort())
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name] && !(name in WORKS))).toEqual([])
  })
})

describe('install', () => {
  /** After it, the package is a class, which Node can load. */
  const BUILDS = `[ "$1" = ci ] || echo "module.exports = class {}" > index.js`

  /** A folder with one package that has to be built, and an npm that runs these lines of a shell. */
  function folderWith(npm: string, optional = false) {
    const folder = mkdtempSync(join(tmpdir(), 'service-signature-install-'))
    onTestFinished(() => {
      vi.unstubAllEnvs()
      rmSync(folder, { recursive: true })
    })
    const packages = { [PACKAGE]: { hasInstallScript: true, optional } }
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
    writeFileSync(join(folder, 'package.json'), '{"allowScripts":{"better-sqlite3":true}}')
    mkdirSync(join(folder, PACKAGE), { recursive: true })
    mkdirSync(join(folder, 'bin'))
    writeFileSync(
      join(folder, 'bin/npm'),
      `#!/bin/sh\necho "$1 for $npm_config_target" >> calls\ncd ${PACKAGE}\n${npm}`,
    )
    chmodSync(join(folder, 'bin/npm'), 0o755)
    vi.stubEnv('PATH', [join(folder, 'bin'), process.env['PATH']].join(delimiter))
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    return folder
  }

  function callsIn(folder: string) {
    return readFileSync(join(folder, 'calls'), 'utf8').replaceAll(` for ${process.versions.node}\n`, ' ')
  }

  it('fails each time if npm succeeds without having built what it had to', () => {
    const folder = folderWith('exit 0')
    for (let time = 0; time < 2; time += 1)
      expect(() => {
        install(folder)
      }).toThrow(`${PACKAGE} does not work after npm rebuild in ${folder}`)
    expect(callsIn(folder)).toBe('ci rebuild rebuild ')
  })

  it('reports an optional package that does not build, so that only the tests that need it are left out', () => {
    const folder = folderWith('[ "$1" = ci ]', true)
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    install(folder)
    expect(printed).toHaveBeenCalledExactlyOnceWith(
      `${PACKAGE} does not work after npm rebuild in ${folder}. Tests that need better-sqlite3 are left out.`,
    )
  })

  it('does nothing if everything in the lock file is unpacked and works', () => {
    const folder = folderWith(BUILDS)
    install(folder)
    install(folder)
    expect(callsIn(folder)).toBe('ci rebuild ')
  })

  it('rebuilds for the running Node what was built for another one', () => {
    const folder = folderWith(BUILDS)
    install(folder)
    writeFileSync(join(folder, PACKAGE, 'index.js'), 'throw new Error("NODE_MODULE_VERSION")')
    install(folder)
    expect(callsIn(folder)).toBe('ci rebuild rebuild ')
  })
})
