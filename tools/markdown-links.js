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

/** @param {string} address */
export function isRelative(address) {
  return !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)
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
