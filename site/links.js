// Where the links of a page lead on the site. Pages link to files of the repository, as GitHub needs it.
import { existsSync, statSync } from 'node:fs'
import { isRelative, targetOf } from '../tools/markdown-links.js'
import { ADDRESSES, REPOSITORY, root } from './pages.js'

/**
 * The address on the site of what a link leads to, or that on GitHub if it is not on the site.
 *
 * @param {string} file the page, by its path in the repository
 * @param {string} address
 */
export function siteAddress(file, address) {
  // A slash at the start is an address of the site, in its own pages.
  if (!isRelative(address) || address.startsWith('#') || address.startsWith('/')) return address
  const { path, anchor } = targetOf(file, address)
  const hash = anchor === undefined ? '' : `#${anchor}`
  const page = [path, path === '.' ? 'README.md' : `${path}/README.md`].find((each) => ADDRESSES.has(each))
  // What GitHub calls "readme" is here the whole page.
  if (page !== undefined) return `/${ADDRESSES.get(page)}${anchor === 'readme' ? '' : hash}`
  if (!existsSync(root + path)) throw new Error(`${file} links to ${address}, and there is no ${path}.`)
  const kind = statSync(root + path).isDirectory() ? 'tree' : 'blob'
  return `${REPOSITORY}/${kind}/main/${path}${hash}`
}
