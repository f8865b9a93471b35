import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { headingSlug, isRelative, repositoryPaths, targetOf } from '../markdown-links.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const paths = repositoryPaths(root)
const pages = [...paths].filter((path) => path.endsWith('.md'))
const sources = [...paths].filter((path) =>
  /^(?:packages|tools|test|site\/playground|examples\/demo)\/.*\.(?:ts|js)$/.test(path),
)
const read = (path: string) => readFileSync(root + path, 'utf8')

/** The page that GitHub shows for a path; for a folder, its README. */
function pageAt(path: string): string | undefined {
  return [path, path === '.' ? 'README.md' : `${path}/README.md`].find((each) => pages.includes(each))
}

/** The fault of a link: its file or its heading does not exist. */
function faultOf(page: string, address: string): string[] {
  const { path, anchor } = targetOf(page, address)
  if (!paths.has(path)) return [`${address}: there is no ${path}`]
  // "readme" is what GitHub shows below the files of a folder.
  if (anchor === undefined || anchor === 'readme') return []
  const target = pageAt(path)
  if (target !== undefined && anchorsOf(read(target)).has(anchor)) return []
  return [`${address}: ${target ?? path} has no heading #${anchor}`]
}

describe('every link on GitHub leads to a file and a heading', () => {
  it.each(pages)('%s', (page) => {
    const faults = linksOf(read(page))
      .filter(isRelative)
      .flatMap((address) => faultOf(page, address))
    expect(faults).toEqual([])
  })
})

// npm resolves a link from the folder of the package, as GitHub does, but also one with a slash at its start.
it('no link of the README of a package starts with a slash', () => {
  const readmes = pages.filter((page) => /^packages\/[^/]+\/README\.md$/.test(page))
  expect(readmes.flatMap((page) => linksOf(read(page))).filter((link) => link.startsWith('/'))).toEqual([])
})

it('every comment that cites a heading of the specification names one that it has', () => {
  const anchors = anchorsOf(read('docs/specification.md'))
  const cited = sources.flatMap((path) =>
    Array.from(
      read(path).matchAll(/\b[Ss]ee specification,\s+(?:\* |\/\/ )?([A-Z][\w]*(?: [\w]+)*)/g),
      ([, heading]) => ({ path, heading: heading! }),
    ),
  )
  expect(cited.length).toBeGreaterThan(5)
  const isHeading = ({ heading }: { heading: string }) =>
    Array.from(anchors).some((anchor) => headingSlug(heading).startsWith(anchor))
  expect(cited.filter((each) => !isHeading(each))).toEqual([])
})

describe('links of a page', () => {
  it('do not include those in code', () => {
    const page = '[a](b.md#c "title") `[d](e)` ![f](g.svg)\n\n```md\n[h](i)\n```\n\n[j]: https://k\n'
    expect(linksOf(page)).toEqual(['b.md#c', 'g.svg', 'https://k'])
  })

  it('lead to the files that GitHub shows', () => {
    expect(targetOf('docs/hosts.md', '../packages/lambda#readme')).toEqual({
      path: 'packages/lambda',
      anchor: 'readme',
    })
    expect(targetOf('docs/hosts.md', '/README.md')).toEqual({ path: 'README.md', anchor: undefined })
    expect(targetOf('docs/hosts.md', '#a')).toEqual({ path: 'docs/hosts.md', anchor: 'a' })
  })

  it('name headings as GitHub does', () => {
    const page =
      '# `a.b()` and C_d\n\n```sh\n# not a heading\n```\n\n## Options\n\n## [Options](x.md)\n\n<a id="x"></a>\n'
    expect([...anchorsOf(page)]).toEqual(['ab-and-c_d', 'options', 'options-1', 'x'])
  })
})

/** The addresses of the links and images of a page. */
function linksOf(markdown: string): string[] {
  const text = withoutCode(markdown)
  const inline = text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)
  const references = text.matchAll(/^\[[^\]]+\]:\s+(\S+)$/gm)
  return [...inline, ...references].map(([, address = '']) => address)
}

function withoutCode(markdown: string): string {
  return withoutFences(markdown).replaceAll(/(`+)[^`\n](?:.*?[^`\n])?\1(?!`)/g, '')
}

function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^( *)(`{3,}|~{3,}).*\n(?:.*\n)*?\1\2[`~]* *$/gm, '')
}

/** The valid fragments of a page: the headings, as GitHub names them, and ids in HTML. */
function anchorsOf(markdown: string): Set<string> {
  const text = withoutFences(markdown)
  const seen = new Map<string, number>()
  const headings = Array.from(text.matchAll(/^#{1,6} +(.*?)(?: +#+)?$/gm), ([, title = '']) => {
    const slug = headingSlug(plainText(title))
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  })
  const ids = Array.from(text.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id)
  return new Set([...headings, ...ids])
}

/** A heading without links and escapes. */
function plainText(title: string): string {
  return title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '')
}
