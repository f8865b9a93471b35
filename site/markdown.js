// What the site changes of how VitePress renders Markdown.
import { siteAddress } from './links.js'
import { GROUPS, root } from './pages.js'

/** @param {import('vitepress').MarkdownRenderer} md */
export function rewriteLinks(md) {
  md.core.ruler.push('site_links', ({ tokens, env }) => {
    const file = env.realPath?.slice(root.length) ?? env.relativePath
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const address = token.type === 'link_open' ? token.attrGet('href') : null
      if (address) token.attrSet('href', siteAddress(file, address))
    }
  })
}

/**
 * Lets code in a sentence or a table break after a mark, so that long names fit on a phone.
 *
 * @param {import('vitepress').MarkdownRenderer} md
 */
export function breakLongCode(md) {
  const render = md.renderer.rules.code_inline
  md.renderer.rules.code_inline = (...given) =>
    render(...given).replaceAll(/(?:[._,/]|\((?!\)))(?=[^<>]*<\/code>)/g, '$&<wbr>')
}

/**
 * Names the README of the repository as the sidebar does: its own heading is the name of the project.
 *
 * @param {import('vitepress').MarkdownRenderer} md
 */
export function titleByName(md) {
  const readme = GROUPS.flatMap(({ pages }) => pages).find(({ file }) => file === 'README.md')
  md.core.ruler.before('inline', 'title_by_name', ({ tokens, env }) => {
    const file = env.realPath?.slice(root.length) ?? env.relativePath
    const heading = tokens.findIndex(({ type }) => type === 'heading_open')
    const text = tokens[heading + 1]
    if (file === readme?.file && text !== undefined) text.content = readme.text
  })
}
