// The links of the Markdown pages, and where they lead on GitHub.
import { execFileSync } from 'node:child_process'
import { posix } from 'node:path'

/**
 * The files of the repository, and the folders that they are in.
 *
 * @param {string} root
 * @returns {Set<string>}
 */
export function repositoryPaths(root) {
  const options = /** @type {const} */ ({ cwd: root, encoding: 'utf8' })
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    options,
  )
  const files = listed.split('\0').filter((file) => file !== '')
  const folders = files.flatMap((file) => {
    const parts = file.split('/')
    return parts.map((_, depth) => parts.slice(0, depth).join('/'))
  })
  return new Set([...files, ...folders.map((folder) => folder || '.')])
}

/**
 * The addresses of the links and images of a page.
 *
 * @param {string} markdown
 * @returns {string[]}
 */
export function linksOf(markdown) {
  const text = withoutCode(markdown)
  const inline = text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)
  const references = text.matchAll(/^\[[^\]]+\]:\s+(\S+)$/gm)
  return [...inline, ...references].map(([, address = '']) => address)
}

/** @param {string} markdown */
function withoutCode(markdown) {
  return withoutFences(markdown).replaceAll(/(`+)[^`\n](?:.*?[^`\n])?\1(?!`)/g, '')
}

/** @param {string} markdown */
export function withoutFences(markdown) {
  return markdown.replaceAll(/^( *)(`{3,}|~{3,}).*\n(?:.*\n)*?\1\2[`~]* *$/gm, '')
}

/** @param {string} address */
export function isRelative(address) {
  return !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)
}

/**
 * The valid fragments of a page: the headings, as GitHub names them, and ids in HTML.
 *
 * @param {string} markdown
 * @returns {Set<string>}
 */
export function anchorsOf(markdown) {
  const text = withoutFences(markdown)
  /** @type {Map<string, number>} */
  const seen = new Map()
  const headings = Array.from(text.matchAll(/^#{1,6} +(.*?)(?: +#+)?$/gm), ([, title = '']) => {
    const slug = headingSlug(plainText(title))
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  })
  const ids = Array.from(text.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id)
  return new Set([...headings, ...ids])
}

/**
 * The address of a heading on GitHub. The same heading again has "-1" after it, and so on.
 *
 * @param {string} title without the marks of Markdown
 */
export function headingSlug(title) {
  return title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** @param {string} title a heading, with code, links and escapes */
export function plainText(title) {
  return title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '')
}

/**
 * Resolves a relative link of a page to a path from the root of the repository, and the heading.
 *
 * @param {string} page path of the page
 * @param {string} address
 */
export function targetOf(page, address) {
  const [path = '', anchor] = address.split('#')
  const folder = posix.dirname(page)
  // GitHub takes a slash at the start for the root of the repository.
  const target = path.startsWith('/') ? path.slice(1) : posix.join(folder, path)
  return { path: path === '' ? page : target.replace(/\/$/, ''), anchor }
}
