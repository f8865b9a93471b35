import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { anchorsOf, headingSlug, isRelative, linksOf, repositoryPaths, targetOf } from '../markdown-links.js'

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
