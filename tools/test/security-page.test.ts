import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const read = (page: string) => readFileSync(new URL(page, root), 'utf8')
const [, promised = ''] = /\n## What is promised\n([^]*?)\n### /.exec(read('SECURITY.md'))!
const promises = Array.from(promised.matchAll(/^(\d+)\. /gm), ([, number]) => number!)
const rows = Array.from(
  read('docs/maintainers/assurance.md').matchAll(/^\| (\d+) +\| `([^`]+)` +\| `([^`]+)` +\|$/gm),
  ([, ...cells]) => cells,
)

describe('the promises of SECURITY.md', () => {
  it('are numbered, and each has a test that holds it', () => {
    expect(promises).toEqual(promises.map((_, index) => String(index + 1)))
    expect(promises.length).toBeGreaterThan(5)
    expect(new Set(rows.map(([promise]) => promise))).toEqual(new Set(promises))
  })

  it.each(rows)('%s is held by a test in %s: %s', (_promise, file, title) => {
    const source = read(file)
    // The title of a case or of a group of them, not any text.
    expect(source.split('\n').some((line) => /['"`]/.test(line) && line.includes(title))).toBe(true)
  })
})
