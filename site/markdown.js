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
 * Names a README as the sidebar does: its own heading is the name of the project, or of a package.
 *
 * @param {import('vitepress').MarkdownRenderer} md
 */
export function titleByName(md) {
  const readmes = GROUPS.flatMap(({ pages }) => pages).filter(({ file }) => file.endsWith('README.md'))
  const names = new Map(readmes.map(({ file, text }) => [file, text]))
  md.core.ruler.before('inline', 'title_by_name', ({ tokens, env }) => {
    const name = names.get(env.realPath?.slice(root.length) ?? env.relativePath)
    const heading = tokens.findIndex(({ type }) => type === 'heading_open')
    const text = tokens[heading + 1]
    if (name !== undefined && text !== undefined) text.content = name
  })
}

/**
 * Shows the picture of the theme that is chosen on the site. GitHub takes that of its own theme.
 *
 * @param {import('vitepress').MarkdownRenderer} md
 */
export function followTheme(md) {
  const render = md.renderer.rules.html_block
  md.renderer.rules.html_block = (...given) =>
    render(...given).replace(
      /<picture>\s*<source [^>]*srcset="([^"]*)">\s*<img ([^>]*)src="([^"]*)">\s*<\/picture>/,
      '<p><img class="in-dark" loading="lazy" $2src="$1"><img class="in-light" loading="lazy" $2src="$3"></p>',
    )
}
