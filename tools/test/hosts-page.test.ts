import { format, resolveConfig } from 'prettier'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

// To write the versions into the page: UPDATE_DOCS=1 npx vitest run hosts-page.test
const root = new URL('../../', import.meta.url)
const PAGE = new URL('docs/hosts.md', root)
const isUpdate = process.env['UPDATE_DOCS'] !== undefined
let page = readFileSync(PAGE, 'utf8')

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string }>>
}
type Versions = Readonly<Record<string, Readonly<Record<string, string>>>>

function read(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, root), 'utf8'))
}

const installed = versionsIn('package-lock.json')
const runtimes = versionsIn('tools/runtimes/package-lock.json')
const nodes = versionsIn('tools/consumers/node-versions/package-lock.json')
const consumers = read('tools/consumers/versions.json') as Versions

/** Looks up the version that a lock file installs. */
function versionsIn(path: string): (name: string) => string {
  const { packages } = read(path) as Lock
  return (name) => packages[`node_modules/${name}`]!.version
}

const node = ['node-20', 'node-26'].map((name) => `Node ${nodes(name)}`)
const next = ['next-15', 'next-16'].map((name) => consumers[name]!['next']!)
// Nest 12 only runs the contract, without an application of its own.
const nest12 = versionsIn('examples/nest-12/package-lock.json')
const nest = [
  ...['nest-10', 'nest-11'].map((name) => consumers[name]!['@nestjs/core']!),
  nest12('@nestjs/core'),
]

/** Which versions the tests install, for each row of the table. */
const TESTED: Readonly<Record<string, readonly string[]>> = {
  Express: [installed('express4'), installed('express')],
  Koa: [installed('koa2'), installed('koa')],
  Hapi: [installed('@hapi/hapi')],
  Fastify: [installed('fastify')],
  'Nest on Express and on Fastify': nest,
  'node:http': node,
  Connect: [installed('connect')],
  Polka: [installed('polka')],
  h3: [installed('h3')],
  'Next, API route': next,
  'Next, app route on nodejs and edge': next,
  'Hono, middleware': [installed('hono')],
  'Hono, Request and Response': [installed('hono')],
  'Cloudflare Workers': [`workerd ${runtimes('workerd')}`],
  Deno: [runtimes('@deno/linux-x64-glibc')],
  Bun: [runtimes('bun')],
  // A service, without versions: the contract has the events of each kind of gateway.
  'AWS Lambda': [],
}

/** The rows of the table, as cells. */
function rows(): readonly (readonly string[])[] {
  const [, table] = /<!-- hosts -->\n([^]*)<!-- \/hosts -->/.exec(page)!
  const lines = table!.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) => line.split('|').slice(1, -1))
}

/** The text of the first cell: a link, perhaps with words after it. */
function hostOf([host]: readonly string[]): string {
  return host!
    .replace(/\[([^\]]+)\]\([^)]+\)/, '$1')
    .replaceAll('`', '')
    .trim()
}

describe('docs/hosts.md', () => {
  afterAll(async () => {
    if (!isUpdate) return
    const path = fileURLToPath(PAGE)
    writeFileSync(PAGE, await format(page, { ...(await resolveConfig(path)), filepath: path }))
  })

  it('has a row for each host that is tested, and no other', () => {
    expect(rows().map(hostOf)).toEqual(Object.keys(TESTED))
  })

  it.each(Object.entries(TESTED))('has the versions of %s that the tests install', (host, versions) => {
    const expected = versions.join(', ') || '-'
    const row = rows().find((cells) => hostOf(cells) === host)!
    if (isUpdate) {
      page = page.replace(row.join('|'), () => [row[0], ` ${expected} `, ...row.slice(2)].join('|'))
    }
    expect(
      rows()
        .find((cells) => hostOf(cells) === host)![1]!
        .trim(),
    ).toBe(expected)
  })

  it('has a heading for each of its own links', () => {
    const anchors = Array.from(page.matchAll(/^#+ (.*)$/gm), ([, title]) =>
      title!
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    const links = Array.from(page.matchAll(/\]\(#([^)]+)\)/g), ([, anchor]) => anchor)
    expect(anchors).toEqual(expect.arrayContaining(links))
  })
})
