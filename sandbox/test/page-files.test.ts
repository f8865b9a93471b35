import { fastify } from 'fastify'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pageFiles, staticFiles } from '../server/http/package-files.js'

const INDEX = '<!doctype html><title>Sandbox</title><script type="module" src="/assets/index.js"></script>'

/** A server with the files of a build, or without one. It stops with the test. */
async function serve(isBuilt: boolean, others: readonly string[] = []): Promise<string> {
  const folder = `${await mkdtemp(join(tmpdir(), 'page-'))}/`
  if (isBuilt) {
    await mkdir(`${folder}assets`)
    await writeFile(`${folder}index.html`, INDEX)
    for (const name of ['index.js', ...others]) await writeFile(`${folder}assets/${name}`, 'export {}\n')
  }
  const app = fastify()
  staticFiles(app)
  pageFiles(app, folder)
  app.get('/api/v1/known/', () => ({}))
  onTestFinished(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  return app.listen({ port: 0, host: '127.0.0.1' })
}

/** A request for a path as it is written: fetch() would resolve the dots. */
async function getVerbatim(url: string, path: string) {
  const sent = request(url, { path, agent: false }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: await text(response) }
}

const FOR_PERSON = { headers: { Accept: 'text/html,application/xhtml+xml' } }

describe('The page', () => {
  it('is the same file for a person at every address, also at one that it says does not exist', async () => {
    const url = await serve(true)
    for (const path of ['/', '/?status=dead', '/deliveries', '/payments/intents/pit_1/', '/no-such-page/']) {
      const response = await fetch(url + path, FOR_PERSON)
      expect(response.status, path).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).toBe(INDEX)
    }
  })

  it('has a policy that allows nothing inline and nothing from elsewhere, like its scripts', async () => {
    const url = await serve(true)
    for (const path of ['/', '/deliveries/dlv_1/', '/assets/index.js']) {
      const { headers } = await fetch(url + path, FOR_PERSON)
      const policy = headers.get('content-security-policy')!
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
    }
  })

  it.each([
    'none.js',
    '',
    '../index.html',
    '..%2findex.html',
    '%2e%2e/index.html',
    '%2e%2e%2findex.html',
    '..%5cindex.html',
    '..\\index.html',
    './index.js',
    'x/../index.js',
    '%252e%252e%252findex.html',
    '....//index.html',
    '/index.js',
    'index.js%00',
    'index.js/',
    'INDEX.JS',
    '../../../../../../../../etc/passwd',
    '%2fetc%2fpasswd',
    '__proto__',
  ])('has no file at /assets/%s', async (name) => {
    const { status, body } = await getVerbatim(await serve(true), `/assets/${name}`)
    expect(status).toBe(404)
    expect(JSON.parse(body)).toMatchObject({ status: { code: 404 }, data: null })
  })

  it('serves no HTML and no file of an unknown type among its scripts', async () => {
    const url = await serve(true, ['page.html', 'notes.txt', '.env'])
    for (const name of ['page.html', 'notes.txt', '.env']) {
      expect((await fetch(`${url}/assets/${name}`)).status, name).toBe(404)
    }
  })

  it('answers HEAD as GET, without the content', async () => {
    const url = await serve(true)
    for (const path of ['/', '/assets/index.js']) {
      const [got, head] = await Promise.all([fetch(url + path), fetch(url + path, { method: 'HEAD' })])
      expect(head.status).toBe(200)
      for (const name of ['content-type', 'content-length', 'content-security-policy'])
        expect(head.headers.get(name), name).toBe(got.headers.get(name))
      expect(head.headers.get('content-length')).toBe(String((await got.arrayBuffer()).byteLength))
      expect(await head.text()).toBe('')
    }
  })

  it.each([
    ['GET', '/payments/', {}],
    ['POST', '/no-such-path', FOR_PERSON],
    ['GET', '/api/no-such-path/', FOR_PERSON],
    ['GET', '/direct/x/', FOR_PERSON],
    ['GET', '/vault/x/', FOR_PERSON],
    ['GET', '/_sandbox/x/', FOR_PERSON],
  ])('leaves the error for %s %s to the service', async (method, path, options) => {
    const url = await serve(true)
    const response = await fetch(url + path, { method, ...options })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ status: { code: 404 }, data: null })
  })

  it('says how to build it, if it is not built', async () => {
    const url = await serve(false)
    for (const path of ['/', '/deliveries/']) {
      const response = await fetch(url + path, FOR_PERSON)
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(await response.text()).toBe('The page is not built. Run npm run build.\n')
    }
    expect((await fetch(`${url}/assets/index.js`, FOR_PERSON)).status).toBe(404)
  })
})
