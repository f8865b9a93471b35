// Copies the files of examples/ into the pages that show them. A comment above a block names its file:
//   <!-- example: examples/express/quick-start.js -->
// or, with "#name" at its end, the part of the file between "// #region name" and "// #endregion".
// With --check it writes nothing, and fails where a page differs from its examples.
import { readFileSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { repositoryPaths } from './markdown-links.js'

const root = new URL('../', import.meta.url)
const isCheck = process.argv.includes('--check')
const BLOCK = /(?:<!-- example: (\S+?)(?:#(\S+))? -->\n+)?^```(\S*)\n[^]*?^```$/gm
const JAVASCRIPT = /^(?:[cm]?[jt]sx?|javascript|typescript)$/

// The reference of the API shows what its comments say.
const pages = [...repositoryPaths(fileURLToPath(root))].filter((path) => /^(?!docs\/api\/).*\.md$/.test(path))

const read = (/** @type {string} */ path) => readFileSync(new URL(path, root), 'utf8')

/**
 * @param {string} path
 * @param {string | undefined} region
 */
function codeOf(path, region) {
  if (region === undefined) return read(path)
  const code = new RegExp(`^// #region ${region}\\n([^]*?)^// #endregion`, 'm').exec(read(path))?.[1]
  if (code === undefined) throw new Error(`${path} has no region "${region}"`)
  return code
}

for (const page of pages) {
  const text = read(page)
  /** @type {string[]} */
  const faults = []
  const embedded = text.replace(BLOCK, (...match) => {
    const [block, path, region, language = ''] = /** @type {[string, ...(string | undefined)[]]} */ (match)
    if (path !== undefined) {
      const [marker] = block.split('\n')
      return `${marker}\n\n\`\`\`${extname(path).slice(1)}\n${codeOf(path, region)}\`\`\``
    }
    if (JAVASCRIPT.test(language)) faults.push(`this block has no comment that names its example:\n${block}`)
    return block
  })
  for (const [comment] of embedded.matchAll(/^<!-- example: \S+ -->(?!\n+```)/gm))
    faults.push(`no block follows ${comment}`)
  if (isCheck && embedded !== text) faults.push('it differs from its examples; run "npm run docs -- embed"')
  else if (embedded !== text) writeFileSync(new URL(page, root), embedded)
  for (const fault of faults) console.error(`${page}: ${fault}`)
  if (faults.length > 0) process.exitCode = 1
}
