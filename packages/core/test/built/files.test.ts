import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createVerifier, verifySignatureSync, WebhookError } from '@service-signature/core'

const dist = new URL('../../dist/', import.meta.url)
const files = readdirSync(dist)
const textOf = (file: string) => readFileSync(new URL(file, dist), 'utf8')

/** A file, and the files that it loads at once or whose types it uses. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const [, path] of textOf(file).matchAll(/(?:from |(?<!=> )require\()['"]\.\/([^'"]+)['"]/g)) {
    const isTypes = /\.d\.[cm]ts$/.test(file)
    withImports(isTypes ? path!.replace(/\.([cm])js$/, '.d.$1ts') : path!, found)
  }
  return found
}

describe('the files of the package', () => {
  it('are code and types in both formats, without source maps', () => {
    expect(files.filter((file) => !/^[\w.-]+\.(?:mjs|cjs|d\.mts|d\.cts)$/.test(file))).toEqual([])
  })

  it('have at most 860 KB: with its pages the package has at most 900', () => {
    const bytes = files.map((file) => statSync(new URL(file, dist)).size)
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(860_000)
  })

  it.each(['.mjs', '.cjs', '.d.mts', '.d.cts'])('define the class of errors once in %s', (extension) => {
    const code = files.filter((file) => file.endsWith(extension)).map(textOf)
    expect(code.join('\n').match(/\bclass WebhookError\b/g)).toHaveLength(1)
  })

  it.each(files.filter((file) => /\.web\.[cm]js$/.test(file)))('load nothing of Node from %s', (file) => {
    const loaded = [...withImports(file)]
    expect(loaded).toContain(`shared-web.${file.slice(-3)}`)
    expect(loaded.filter((file) => /['"]node:/.test(textOf(file)))).toEqual([])
  })

  it.each([
    ['index', 3],
    ['receiver', 3],
    ['node', 3],
    ['testing', 3],
  ])('are few that load with %s', (entry, most) => {
    for (const extension of ['.mjs', '.cjs'])
      expect(withImports(entry + extension).size, extension).toBeLessThanOrEqual(most)
  })

  it.each([
    ['index.d.mts', 'createVerifier'],
    ['index.d.cts', 'createVerifier'],
    ['testing.d.mts', 'sign'],
  ])('explain to editors, in %s, what %s does', (file, name) => {
    const types = [...withImports(file)].map(textOf).join('\n')
    expect(types).toMatch(new RegExp(`@example[^/]*\\*/\\s*declare function ${name}\\(`))
  })
})

describe('errors of the built package', () => {
  it('show the functions by their names and the place in a readable file', () => {
    const stackOf = (run: () => unknown) => {
      try {
        run()
      } catch (error) {
        return (error as Error).stack
      }
      return undefined
    }
    const stack = stackOf(() => createVerifier({}))
    expect(stack).toMatch(/at \w*[vV]erifier\w* \(.*\/dist\/[\w-]+\.mjs:\d+:\d+\)/)
    expect(textOf('shared-web.mjs').split('\n').length).toBeGreaterThan(1000)
    expect(() => verifySignatureSync('{}', undefined, { secret: 'test_signature_key' })).toThrow(WebhookError)
  })
})
