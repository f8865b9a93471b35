import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { compareWithNpm } from '../release/served.js'

/** A registry that has one version of one package. */
const registry = createServer((req, res) => {
  const dist = { integrity: 'sha512-abc=', tarball: 'http://127.0.0.1/one.tgz' }
  const versions = { '1.2.3': { name: '@own/one', version: '1.2.3', dist } }
  const isKnown = decodeURIComponent(req.url!).startsWith('/@own/one')
  res.writeHead(isKnown ? 200 : 404)
  res.end(JSON.stringify(isKnown ? { name: '@own/one', 'dist-tags': { latest: '1.2.3' }, versions } : {}))
})
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  await once(registry.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${String((registry.address() as AddressInfo).port)}`
  env = { ...process.env, npm_config_registry: url }
})

afterAll(() => {
  registry.close()
})

afterEach(() => {
  vi.restoreAllMocks()
})

const OWN = { name: '@own/one', version: '1.2.3', integrity: 'sha512-abc=' }
const CHANGED = { ...OWN, integrity: 'sha512-abd=' }
const LATER = { ...OWN, version: '1.2.4' }
const OTHER = { ...OWN, name: '@own/two' }

it.each([
  [[OWN, OWN], ['equal', 'equal'], 0, 'npm serves what was built here.'],
  [[CHANGED, OTHER], ['DIFFERS', 'not published'], 1, '1 of 2 differ: report it, and do not use them.'],
  [[OWN, LATER, OTHER], ['equal', 'not published', 'not published'], 2, 'npm does not have 2 of 3.'],
])('of %j, npm has %j, and the exit code is %i', async (tarballs, npm, code, text) => {
  const table = vi.spyOn(console, 'table').mockImplementation(() => undefined)
  const said = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  )
  expect(await compareWithNpm(tarballs, env)).toBe(code)
  expect(table.mock.calls).toEqual([[tarballs.map(({ name }, index) => ({ name, npm: npm[index] }))]])
  expect(said.flatMap(({ mock }) => mock.calls)).toEqual([[text]])
})

it('fails if npm does not answer', async () => {
  const closed = { ...env, npm_config_registry: 'http://127.0.0.1:1' }
  await expect(compareWithNpm([OWN], closed)).rejects.toThrow('npm did not answer for @own/one:\n')
})
