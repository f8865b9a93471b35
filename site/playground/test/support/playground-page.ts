import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Open } from '../../../../sandbox/test/support/browser.js'
import { builtFiles } from '../../../../sandbox/test/support/built-files.js'
import type { Evaluation, PlaygroundCase, SignaturePlayground } from '../../src/index.js'

/** The policy of a page that cannot send anything anywhere. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'none'"

const STYLES = `
  :root { color-scheme: light dark; }
  body { margin: 0; padding: 16px; background: light-dark(#fff, #0f1218); color: light-dark(#171c28, #e5e8ee); }
`

const PAGE = `<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>Playground</title>
      <link rel="stylesheet" href="/page.css">
      <script type="module" src="/signature-playground.js"></script>
    </head>
    <body><main><h1>Playground</h1><signature-playground></signature-playground></main></body>
  </html>`

/** Serves the built element on pages whose policy forbids every connection, and records what is requested. */
export class PlaygroundSite {
  readonly requests: string[] = []
  readonly #server: Server
  #module = ''

  constructor() {
    this.#server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, 'http://localhost')
      this.requests.push(pathname)
      response.setHeader('Content-Security-Policy', POLICY)
      if (pathname === '/signature-playground.js') answer('text/javascript', this.#module)
      else if (pathname === '/page.css') answer('text/css', STYLES)
      else answer('text/html', PAGE)

      function answer(type: string, text: string) {
        response.setHeader('Content-Type', `${type}; charset=utf-8`).end(text)
      }
    })
  }

  /** A site that is there for the tests of a file. */
  static forTests(): PlaygroundSite {
    const site = new PlaygroundSite()
    beforeAll(() => site.start())
    afterAll(() => site.stop())
    return site
  }

  async start(): Promise<void> {
    this.#module = await builtModule()
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }
}

/** The element as a page loads it: one module. */
async function builtModule(): Promise<string> {
  const output = await builtFiles(fileURLToPath(new URL('../../vite.config.ts', import.meta.url)))
  const [chunk] = output
  if (output.length !== 1 || chunk?.type !== 'chunk') {
    throw new Error(`expected one module, got ${output.map(({ fileName }) => fileName).join(', ')}`)
  }
  return chunk.code
}

/** The element on a page, as a reader finds its parts. */
export class PlaygroundPage {
  readonly page: Page
  readonly problems: string[]

  constructor(page: Page, problems: string[]) {
    this.page = page
    this.problems = problems
  }

  static async open(open: Open, url: string, options?: BrowserContextOptions): Promise<PlaygroundPage> {
    const { page, problems } = await open(url, options)
    return new PlaygroundPage(page, problems)
  }

  get verdict(): Locator {
    return this.page.locator('.verdict')
  }

  get header(): Locator {
    return this.page.getByLabel('Header: the value of Service-Signature')
  }

  get body(): Locator {
    return this.page.getByLabel('Body', { exact: true })
  }

  get secret(): Locator {
    return this.page.getByLabel('Secret', { exact: true })
  }

  get finding(): Locator {
    return this.page.locator('.finding')
  }

  /** Waits for a verdict. */
  async expectVerdict(outcome: 'verified' | 'refused' | 'incomplete', text = ''): Promise<void> {
    await this.page.locator(`.verdict[data-outcome="${outcome}"]`, { hasText: text }).waitFor()
  }

  async loadExample(id: string): Promise<void> {
    await this.page.getByLabel('Example').selectOption(id)
    await this.page.locator('.results[aria-busy="false"]').waitFor()
  }

  /** Opens a disclosure by its title. */
  async unfold(title: string | RegExp): Promise<void> {
    await this.page.locator('summary', { hasText: title }).click()
  }

  /** Calls `setCase`, and waits until the case is shown. */
  setCase(given: PlaygroundCase): Promise<Evaluation> {
    return this.page.evaluate(
      (each) => document.querySelector<SignaturePlayground>('signature-playground')!.setCase(each),
      given,
    )
  }
}
