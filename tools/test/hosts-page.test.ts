import { format, resolveConfig } from 'prettier'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

// To write the versions into the page: UPDATE_DOCS=1 npx vitest run hosts-page.test
const root = new URL('../../', import.meta.url)
const PAGE = fileURLToPath(new URL('docs/hosts.md', root))

function read(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, root), 'utf8'))
}

/** Looks up the version that the lock file of a folder installs. */
function versionsIn(folder: string): (name: string, place?: string) => string {
  const { packages } = read(`${folder}package-lock.json`) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>
  }
  return (name, place = '') => packages[`${place}node_modules/${name}`]!.version
}

const installed = versionsIn('')
const apps = versionsIn('examples/apps/')
const runtimes = versionsIn('tools/runtimes/')
const nodes = versionsIn('tools/release/')
const applications = read('tools/consumers/versions.json') as Record<string, { readonly next: string }>
const next = Object.values(applications).map((versions) => versions.next)

/** The version that an example has in its package.json, which `npm run consumers` installs. */
function pinned(host: string, name: string): string {
  const { dependencies } = read(`examples/hosts/${host}/package.json`) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  return dependencies[name]!
}

/** Without its command line, which is large, `npm run consumers` calls the function with `Request`. */
const AS_REQUEST = 'as `Request` and `Response`'

/** Which versions the tests install, for each row of the table. */
const TESTED: Readonly<Record<string, readonly string[]>> = {
  Express: [installed('express4'), installed('express')],
  Koa: [installed('koa2'), installed('koa')],
  Hapi: [installed('@hapi/hapi')],
  Fastify: [installed('fastify')],
  'Nest on Express and on Fastify': ['nest-10/', '', 'nest-12/'].map((place) => apps('@nestjs/core', place)),
  'node:http': [`Node ${nodes('node-20')}`, nodes('node-26')],
  Connect: [installed('connect')],
  Polka: [installed('polka')],
  'h3 1': [installed('h3')],
  'h3 2': [installed('h3-2', 'packages/node/')],
  'Next, API route': next,
  'Next, app route on nodejs and edge': next,
  'Hono, middleware': [installed('hono')],
  'Hono, Request and Response': [installed('hono')],
  'Elysia on Bun': [pinned('elysia', 'elysia')],
  SvelteKit: [pinned('sveltekit', '@sveltejs/kit')],
  Astro: [pinned('astro', 'astro')],
  'React Router': [pinned('react-router', 'react-router')],
  'TanStack Start': [pinned('tanstack-start', '@tanstack/react-start')],
  Nuxt: [pinned('nuxt', 'nuxt')],
  AdonisJS: [pinned('adonisjs', '@adonisjs/core')],
  'Google Cloud Functions': [pinned('google-cloud-functions', '@google-cloud/functions-framework')],
  'Firebase functions': [pinned('firebase-functions', 'firebase-functions')],
  'Vercel functions': [AS_REQUEST],
  'Netlify functions': [AS_REQUEST],
  // Its version is a date.
  'Cloudflare Workers': ['workerd'],
  Deno: [runtimes('@deno/linux-x64-glibc')],
  Bun: [runtimes('bun')],
  // A service, without versions: the contract has the events of each kind of gateway.
  'AWS Lambda': [],
}

/** What a range promises: the major of a version, or of 0.x the minor. So an update that a range allows changes no page. */
function series(version: string): string {
  return version.replace(/(0\.\d+|\d+)\.\S+/, '$1')
}

let page = readFileSync(PAGE, 'utf8')
const [, table] = /<!-- hosts -->\n([^]*)<!-- \/hosts -->/.exec(page)!
const lines = table!.split('\n').filter((line) => line.startsWith('|'))
const rows = lines.slice(2).map((line) => {
  const [before, host, versions, ...after] = line.split('|')
  // The first cell is a link, perhaps with words after it.
  const name = host!.replace(/\[([^\]]+)\]\([^)]+\)/, '$1').replaceAll('`', '')
  const expected = TESTED[name.trim()]?.map(series).join(', ').replace(/^$/, '-')
  const updated = [before, host, ` ${expected ?? ''} `, ...after].join('|')
  return { name: name.trim(), actual: versions!.trim(), expected, line, updated }
})

afterAll(async () => {
  if (process.env['UPDATE_DOCS'] === undefined) return
  for (const { line, updated } of rows) page = page.replace(line, () => updated)
  writeFileSync(PAGE, await format(page, { ...(await resolveConfig(PAGE)), filepath: PAGE }))
})

it('docs/hosts.md has a row for each host that is tested, and no other', () => {
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(TESTED))
})

it.each(rows)('docs/hosts.md has the versions of $name that the tests install', ({ actual, expected }) => {
  expect(actual).toBe(expected)
})
