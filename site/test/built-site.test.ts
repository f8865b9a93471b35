import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PlaygroundPage } from '../playground/test/support/playground-page.js'
import { describeInBrowser } from '../../sandbox/test/support/browser.js'
import { ADDRESSES } from '../pages.js'
import { addresses, htmlAt, originOf, serve } from './support/built-site.js'

const PHONE = { viewport: { width: 390, height: 844 } }
const DESKTOP = { viewport: { width: 1280, height: 800 } }
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe('the built site', () => {
  it('has a page for each file', () => {
    expect(addresses()).toEqual(Array.from(ADDRESSES.values(), (address) => `/${address}`).sort())
  })

  it('has the instructions for coding agents, and its pages after them, in a text that is read whole', () => {
    const read = (name: string) => readFileSync(new URL(`../dist/${name}`, import.meta.url), 'utf8')
    expect(read('SKILL.md')).toBe(read('../../packages/cli/SKILL.md'))
    const text = read('llms.txt')
    expect(text).toMatch(/^# Receive signed webhooks\n/)
    expect(text.split(/\s+/).length).toBeLessThan(1000)
    const links = Array.from(text.matchAll(/\]\((\/\S*)\)/g), ([, link]) => link!)
    expect(links.length).toBeGreaterThan(40)
    expect(links.filter((link) => htmlAt(link) === undefined)).toEqual([])
  })

  it.each(addresses())('%s has no link to a page or a heading that does not exist', (address) => {
    const html = htmlAt(address)!
    const links = Array.from(html.matchAll(/<a [^>]*?href="([/#][^"]*)"/g), ([, href]) => href!)
    expect(links.length).toBeGreaterThan(5)
    const dead = links.filter((link) => {
      const { pathname, hash } = new URL(link, `http://127.0.0.1${address}`)
      const target = htmlAt(pathname)
      return (
        target === undefined || (hash !== '' && !target.includes(`id="${decodeURIComponent(hash.slice(1))}"`))
      )
    })
    expect(dead).toEqual([])
  })

  it.each(addresses())('%s has a policy that forbids connections and other hosts', (address) => {
    expect(htmlAt(address)).toMatch(
      /<head>\s*<meta http-equiv="Content-Security-Policy" content="default-src 'self'; /,
    )
    expect(htmlAt(address)).toContain("connect-src 'none'")
  })
})

describeInBrowser('the site in Chromium', (open) => {
  let server: Server
  let origin: string
  beforeAll(async () => {
    server = await serve()
    origin = originOf(server)
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it('needs nothing from other hosts, breaks no policy, and fits a phone on every page', async () => {
    const { page } = await open(origin, PHONE)
    const others: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== origin) others.push(request.url())
    })
    for (const address of addresses()) {
      await page.goto(origin + address)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width, address).toBe(PHONE.viewport.width)
    }
    expect(others).toEqual([])
  })

  it.each([
    ['phone', 'light', PHONE],
    ['phone', 'dark', PHONE],
    ['desktop', 'light', DESKTOP],
    ['desktop', 'dark', DESKTOP],
  ] as const)('is accessible on a %s, in %s', async (_device, colorScheme, device) => {
    const { page } = await open(origin, { ...device, colorScheme })
    for (const address of ['/', '/start', '/hosts', '/specification', '/playground', '/404']) {
      await page.goto(origin + address)
      await page.evaluate(axe)
      const found = await page.evaluate<{ violations: { id: string; nodes: { target: string[] }[] }[] }>(
        `axe.run({ rules: { 'label-content-name-mismatch': { enabled: true } } })`,
      )
      const violations = found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.target.join(' ')}`)
      expect(violations, address).toEqual([])
    }
  })

  it('finds a page by its words, without a connection', async () => {
    const { page } = await open(`${origin}/start`, DESKTOP)
    await whenInteractive(page)
    await page.getByRole('button', { name: 'Search' }).first().click()
    await page.locator('#localsearch-input').fill('canonical forms')
    await page.getByRole('option', { name: 'Canonical forms' }).first().click()
    await page.waitForURL(`${origin}/specification#canonical-forms`)
    // The address changes before the page does.
    await page.locator('#canonical-forms').waitFor()
  })

  it('says that it searches until the index of the search has arrived', async () => {
    const { page } = await open(`${origin}/start`, DESKTOP)
    await whenInteractive(page)
    let send: (() => void) | undefined
    const held = new Promise<void>((resolve) => (send = resolve))
    await page.route('**/*localSearchIndex*', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('button', { name: 'Search' }).first().click()
    await page.locator('#localsearch-input').fill('canonical forms')
    const shown = await page
      .locator('.VPLocalSearchBox .results')
      .evaluate((list) => getComputedStyle(list, '::after').content)
    expect(shown).toBe('"Searching ..."')
    send!()
    await page.getByRole('option', { name: 'Canonical forms' }).first().waitFor()
  })

  it.each([
    ['phone', PHONE],
    ['desktop', { viewport: { width: 1440, height: 900 } }],
  ] as const)('keeps the place of the playground until its script is there, on a %s', async (_, device) => {
    const { page } = await open(`${origin}/404`, device)
    let send: (() => void) | undefined
    const held = new Promise<void>((resolve) => (send = resolve))
    await page.route('**/signature-playground*', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${origin}/playground`)
    const place = page.locator('signature-playground')
    const before = (await place.boundingBox())!.height
    await place.getByText('The playground is loading.').waitFor()
    send!()
    await page.locator('.verdict[data-outcome="verified"]').waitFor()
    // Fonts differ between machines.
    expect(Math.abs((await place.boundingBox())!.height / before - 1)).toBeLessThan(0.1)
  })

  it.each(['light', 'dark'] as const)('shows the picture of the %s theme', async (colorScheme) => {
    const { page } = await open(`${origin}/`, { ...DESKTOP, colorScheme })
    const shown = page.locator('main img:visible')
    expect(await shown.count()).toBe(1)
    expect((await shown.getAttribute('src'))!.includes('dark')).toBe(colorScheme === 'dark')
  })

  it('opens the menu of pages on a phone', async () => {
    const { page } = await open(`${origin}/start`, PHONE)
    await whenInteractive(page)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'All hosts' }).click()
    await page.waitForURL(`${origin}/hosts`)
    await page.getByRole('heading', { level: 1, name: 'Hosts' }).waitFor()
  })

  it.each([
    ['light', PHONE],
    ['dark', DESKTOP],
  ] as const)(
    'verifies and explains in the playground without a connection, in %s',
    async (theme, device) => {
      const playground = await PlaygroundPage.open(open, `${origin}/playground`, {
        ...device,
        colorScheme: theme,
      })
      const { page } = playground
      // A reader who saves data: otherwise the site fetches each page whose link comes into view, which fails here.
      await page.addInitScript(
        `Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`,
      )
      await page.reload()
      await playground.expectVerdict('verified')
      await page.waitForLoadState('networkidle')
      await page.context().setOffline(true)
      await playground.loadExample('wrong-secret')
      await playground.expectVerdict('refused')
      const scheme = await page
        .locator('signature-playground')
        .evaluate((element) => getComputedStyle(element).colorScheme)
      expect(scheme).toBe(theme)
    },
  )
})

/** The page is shown before its script listens. */
async function whenInteractive(page: Page): Promise<void> {
  await page.waitForFunction(`document.querySelector('#app').__vue_app__ !== undefined`)
}
