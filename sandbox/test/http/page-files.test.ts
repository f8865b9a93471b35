import { fastify } from 'fastify'
import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pageFiles, staticFiles } from '../../server/http/package-files.js'
import { temporaryFolder } from '../support/folder.js'
import { send } from '../support/send.js'

const INDEX = '<!doctype html><title>Sandbox</title><script type="module" src="/assets/index.js"></script>'
const PERSON = { headers: { Accept: 'text/html,application/xhtml+xml' } }

/** A server with the files of a build, or without one. It stops with the test. */
async function serve(isBuilt = true): Promise<string> {
  const folder = `${temporaryFolder()}/`
  if (isBuilt) {
    mkdirSync(`${folder}assets`)
    writeFileSync(`${folder}index.html`, INDEX)
    for (const name of ['index.js', 'page.html', 'notes.txt']) {
      writeFileSync(`${folder}assets/${name}`, 'export {}\n')
    }
  }
  const app = fastify()
  staticFiles(app)
  pageFiles(app, folder)
  onTestFinished(() => app.close())
  return app.listen({ port: 0, host: '127.0.0.1' })
}

describe('The page', () => {
  it('is the same file for a person at every address, also at one that it says does not exist', async () => {
    const url = await serve()
    for (const path of ['/', '/?status=dead', '/deliveries', '/payments/intents/pit_1/', '/no-such-page/']) {
      const response = await fetch(url + path, PERSON)
      expect(response.status, path).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).toBe(INDEX)
    }
    const head = await fetch(url, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String(INDEX.length))
    expect(await head.text()).toBe('')
  })

  it('has a policy that allows nothing inline and nothing from elsewhere, like its scripts', async () => {
    const url = await serve()
    for (const path of ['/', '/deliveries/dlv_1/', '/assets/index.js']) {
      for (const method of ['GET', 'HEAD']) {
        const { headers } = await fetch(url + path, { ...PERSON, method })
        const policy = headers.get('content-security-policy')!
        expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
        expect(policy).toContain("frame-ancestors 'none'")
        expect(policy).not.toContain('unsafe')
      }
    }
  })

  it.each([
    'none.js',
    // HTML and files of an unknown type are not served among the scripts.
    'page.html',
    'notes.txt',
    '../index.html',
    '..%2findex.html',
    'index.js%00',
    '%2fetc%2fpasswd',
    '__proto__',
  ])('has no file at /assets/%s', async (name) => {
    const { status, text } = await send(await serve(), `/assets/${name}`)
    expect(status).toBe(404)
    expect(JSON.parse(text)).toMatchObject({ status: { code: 404 }, data: null })
  })

  it.each([
    ['GET', '/payments/', {}],
    ['POST', '/no-such-path', PERSON],
    ['GET', '/api/no-such-path/', PERSON],
    ['GET', '/direct/x/', PERSON],
    ['GET', '/vault/x/', PERSON],
    ['GET', '/_sandbox/x/', PERSON],
  ])('leaves the error for %s %s to the service', async (method, path, options) => {
    const response = await fetch((await serve()) + path, { method, ...options })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ status: { code: 404 }, data: null })
  })

  it('says how to build it, if it is not built', async () => {
    const url = await serve(false)
    for (const path of ['/', '/deliveries/']) {
      const response = await fetch(url + path, PERSON)
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(await response.text()).toBe('The page is not built. Run npm run build.\n')
    }
    expect((await fetch(`${url}/assets/index.js`, PERSON)).status).toBe(404)
  })
})
