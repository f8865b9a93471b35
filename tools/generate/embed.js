// The pages with the files of examples/ that they show. A comment above a block names its file:
//   <!-- example: examples/express/quick-start.js -->
// or, with "#name" at its end, the part of the file between "// #region name" and "// #endregion".
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { repositoryPaths } from '../markdown-links.js'

const BLOCK = /(?:<!-- example: (\S+?)(?:#(\S+))? -->\n+)?^```(\S*)\n[^]*?^```$/gm
const JAVASCRIPT = /^(?:[cm]?[jt]sx?|javascript|typescript)$/

const read = (/** @type {string} */ path) => readFileSync(path, 'utf8')

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

export function generate() {
  // The reference of the API shows what its comments say.
  const pages = [...repositoryPaths('.')].filter((path) => /^(?!docs\/api\/).*\.md$/.test(path))
  return pages.map((page) => /** @type {const} */ ([page, embedded(page)]))
}

/** @param {string} page */
function embedded(page) {
  const text = read(page).replace(BLOCK, (...match) => {
    const [block, path, region, language = ''] = /** @type {[string, ...(string | undefined)[]]} */ (match)
    if (path !== undefined) {
      const [marker] = block.split('\n')
      return `${marker}\n\n\`\`\`${extname(path).slice(1)}\n${codeOf(path, region)}\`\`\``
    }
    if (JAVASCRIPT.test(language))
      throw new Error(`${page}: this block has no comment that names its example:\n${block}`)
    return block
  })
  const [comment] = /^<!-- example: \S+ -->(?!\n+```)/m.exec(text) ?? []
  if (comment !== undefined) throw new Error(`${page}: no block follows ${comment}`)
  return text
}
