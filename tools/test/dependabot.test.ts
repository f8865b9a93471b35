import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
const files = listed.split('\n').filter((file) => /(?:^|\/)package(?:-lock)?\.json$/.test(file))
const images = listed.split('\n').filter((file) => /(?:^|\/)Dockerfile$/.test(file))
const config = readFileSync(join(root, '.github/dependabot.yml'), 'utf8')

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}

/** The members of the workspace, whose versions are in the lock file of the root. */
const { workspaces } = read('package.json') as { readonly workspaces: readonly string[] }

function hasExactVersions(file: string): boolean {
  const { dependencies = {}, devDependencies = {} } = read(file) as Record<string, Record<string, string>>
  return Object.values({ ...dependencies, ...devDependencies }).some((version) =>
    /^(?:npm:.+@)?\d/.test(version),
  )
}

/** Whether a folder matches one of these patterns, in which * is a part of a name. */
function isIn(folder: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => new RegExp(`^${pattern.replaceAll('*', '[^/]*')}$`).test(folder))
}

it('Dependabot looks into each folder that has a lock file, or exact versions without one', () => {
  const [, items = ''] = /^ +directories:\n((?: +- .+\n)+)/m.exec(config)!
  const directories = Array.from(items.matchAll(/- (.+)/g), ([, directory]) => directory!)
  const folders = files
    .filter((file) => file.endsWith('package-lock.json') || hasExactVersions(file))
    .map(dirname)
    .filter((folder) => !isIn(folder, workspaces))
  const paths = folders.map((folder) => (folder === '.' ? '/' : `/${folder}`))
  expect(paths.filter((path) => !isIn(path, directories))).toEqual([])
  expect(directories.filter((directory) => !paths.some((path) => isIn(path, [directory])))).toEqual([])
})

it('Dependabot looks into each folder that has a Dockerfile', () => {
  const entries = Array.from(
    config.matchAll(/ecosystem: docker\n +directory: \/(.+)/g),
    ([, folder]) => folder,
  )
  expect(entries).toEqual(images.map(dirname))
})

it('Dependabot waits a week for each kind of version', () => {
  const waits = config.match(/cooldown:\n +default-days: 7\n/g)
  expect(waits).toHaveLength(config.match(/package-ecosystem/g)!.length)
})
