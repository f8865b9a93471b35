import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const NOT_OURS = new Set(['.git', '.tsbuild', 'coverage', 'dist', 'node_modules', '__pycache__'])

function sources(folder: string): string[] {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return []
    if (entry.isDirectory()) return sources(`${folder}${entry.name}/`)
    return /\.(?:[cm]?[jt]s|json|md|ya?ml|html|css|py)$/.test(entry.name) ? [folder + entry.name] : []
  })
}

const files = sources('./')

it('there are sources', () => {
  expect(files).toContain('./packages/core/src/index.ts')
})

// Characters that look alike on the screen could hide a change in code that decides about money.
it.each(files)('%s is plain ASCII', (name) => {
  const lines = readFileSync(new URL(name, root), 'latin1').split('\n')
  expect(lines.filter((line) => /[^\t\r\x20-\x7e]/.test(line))).toEqual([])
})
