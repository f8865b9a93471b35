// The snippets of all documents, ready to be checked and run: what each is, and the program that it becomes.
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { anatomyOf } from './anatomy.js'
import { blocksOf, nameOf } from './extract.js'

export const root = new URL('../../', import.meta.url)
const frames = new URL('frames/', import.meta.url)

/**
 * @typedef {object} Snippet
 * @property {string} name the document and the line, "README.md:7"
 * @property {import('./extract.js').Block} block
 * @property {import('./anatomy.js').Anatomy} anatomy
 * @property {string} program its code, whole
 * @property {boolean} isFragment whether it was made whole with assertions of its own
 * @property {string | undefined} frame what uses what it declares, as a file
 */

/** What a fragment, which imports nothing, stands between; `rest` is what it leaves out, in a comment with three dots. */
const AROUND = /** @type {Record<string, { before: string, rest?: string, after: string } | undefined>} */ ({
  'packages/cli/README.md': {
    before: [
      "import { createHmac } from 'node:crypto'",
      "import express from 'express'",
      'const app = express()',
      'const secret = process.env.WEBHOOK_SECRET',
      '/** @param {*} header */',
      "const elementsOf = (header = '') => Object.fromEntries(header.split(',').map((each) => each.split('=')))",
      '',
    ].join('\n'),
    after: 'app.listen(3000)\n',
  },
  'packages/sandbox/README.md': {
    before: [
      "import { manualClock, startSandbox } from '@service-signature/sandbox'",
      `import { expectRetry, pay } from '${fileURLToPath(new URL('sandbox/payment.js', frames))}'`,
      '',
    ].join('\n'),
    rest: 'await pay(sandbox)',
    after: 'await expectRetry(sandbox)\n',
  },
})

/** The documents that show code to those who use the packages. */
function documents() {
  const folders = readdirSync(new URL('packages/', root)).map((name) => `packages/${name}/README.md`)
  const all = ['README.md', 'SECURITY.md', 'CHANGELOG.md', 'test-vectors/README.md', ...folders]
  return all.filter((file) => existsSync(new URL(file, root)))
}

/** @returns {Snippet[]} */
export function snippets() {
  return documents()
    .flatMap((file) => blocksOf(root, file))
    .filter(({ language }) => /^(?:[cm]?[jt]s|javascript|typescript)$/.test(language))
    .map(snippetOf)
}

/**
 * @param {import('./extract.js').Block} block
 * @returns {Snippet}
 */
function snippetOf(block) {
  const around = /^import /m.test(block.code) || /^export /m.test(block.code) ? undefined : AROUND[block.file]
  const code = around === undefined ? block.code : whole(block.code, around)
  const anatomy = anatomyOf(code)
  const frame = anatomy.listens || block.output !== undefined ? undefined : frameOf(block.file, anatomy)
  // What a frame uses is declared, but not always exported.
  const hidden = frame === undefined ? [] : anatomy.names.filter((name) => !anatomy.exported.includes(name))
  const exports = hidden.length > 0 ? `export { ${hidden.join(', ')} }\n` : ''
  return {
    name: nameOf(block),
    block,
    anatomy,
    program: code + exports,
    frame,
    isFragment: around !== undefined,
  }
}

/**
 * @param {string} code
 * @param {{ before: string, rest?: string, after: string }} around
 */
function whole(code, { before, rest = '', after }) {
  return before + code.replace(/^\/\/ \.\.\. .*$/m, rest) + after
}

/**
 * The frame for what a snippet declares: of its document's package, or of a package that it imports.
 *
 * @param {string} file
 * @param {import('./anatomy.js').Anatomy} anatomy
 */
function frameOf(file, { names, exported, imports }) {
  const packages = [file, ...imports].flatMap(
    (text) => /(?:packages|@service-signature)\/(\w+)/.exec(text)?.[1] ?? [],
  )
  const wanted = exported.length > 0 ? exported : names
  return packages
    .flatMap((folder) => wanted.map((name) => fileURLToPath(new URL(`${folder}/${name}.js`, frames))))
    .find((path) => existsSync(path))
}
