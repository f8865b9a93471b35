import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
})
  .toString()
  .split('\0')
  .filter((name) => /\.(?:[cm]?[jt]s|json|md|ya?ml|html|css|py)$/.test(name))

it('there are sources', () => {
  expect(files).toContain('packages/core/src/index.ts')
})

// What cannot be told apart on the screen has no place in code that decides about money.
it.each(files)('%s is plain ASCII', (name) => {
  const lines = readFileSync(root + name, 'latin1').split('\n')
  expect(lines.filter((line) => /[^\t\r\x20-\x7e]/.test(line))).toEqual([])
})
