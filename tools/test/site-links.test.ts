import { expect, it } from 'vitest'
import { siteAddress } from '../../site/links.js'
import { ADDRESSES, API_PAGES, checkPages } from '../../site/pages.js'

const SOURCE = 'https://github.com/your-org/service-signature'

it.each([
  ['docs/hosts.md', '../packages/lambda#readme', '/packages/lambda'],
  ['docs/hosts.md', '../packages/core/README.md#options', '/packages/core#options'],
  ['docs/hosts.md', '#body-parsers', '#body-parsers'],
  ['packages/koa/README.md', '../../docs/specification.md#delivery', '/specification#delivery'],
  ['packages/koa/README.md', '../../README.md#events', '/start#events'],
  ['docs/api/core.md', 'core/testing.md#sign', '/api/core-testing#sign'],
  ['docs/api/fetch/hono.md', '../core.md', '/api/core'],
  ['README.md', 'packages/redis', '/packages/redis'],
  ['README.md', 'docs/api/README.md', '/api/'],
  ['README.md', 'test-vectors', '/test-vectors'],
  ['README.md', 'SECURITY.md', '/security'],
  ['README.md', 'LICENSE', `${SOURCE}/blob/main/LICENSE`],
  ['docs/maintainers/performance.md', '../../bench', `${SOURCE}/tree/main/bench`],
  ['README.md', 'https://semver.org', 'https://semver.org'],
  ['site/index.md', '/start', '/start'],
])('on the site, %s leads by %s to %s', (file, address, expected) => {
  expect(siteAddress(file, address)).toBe(expected)
})

it('a link to a file that does not exist fails the build', () => {
  expect(() => siteAddress('README.md', 'docs/nothing.md')).toThrow('there is no docs/nothing.md')
})

it('the site has every page of docs/ and every README of a package, each at an address of its own', () => {
  checkPages()
  expect(new Set(ADDRESSES.values()).size).toBe(ADDRESSES.size)
  expect(API_PAGES.length).toBeGreaterThan(10)
})
