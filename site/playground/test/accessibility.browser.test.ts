import { expect, it } from 'vitest'
import { axeViolationsInBothThemes } from '../../../sandbox/test/support/axe.js'
import { describeInBrowser } from '../../../sandbox/test/support/browser.js'
import { PlaygroundPage, PlaygroundSite } from './support/playground-page.js'

const site = PlaygroundSite.forTests()

/** The states in which the page differs. */
const STATES: Readonly<Record<string, (playground: PlaygroundPage) => Promise<void>>> = {
  'a delivery that verifies': async (playground) => {
    await playground.expectVerdict('verified')
  },
  'a delivery that does not, with everything unfolded': async (playground) => {
    const { page } = playground
    await playground.loadExample('wrong-secret')
    await playground.expectVerdict('refused')
    await page.locator('details').evaluateAll((list) => {
      for (const details of list) details.setAttribute('open', '')
    })
    await page.getByLabel('A HAR, a raw request').fill('{')
    await page.getByRole('button', { name: 'Load the pasted text' }).click()
    await page.getByRole('alert').getByText('This starts like JSON').waitFor()
    await page.getByRole('button', { name: 'Add another secret' }).click()
  },
  'fields that are wrong': async (playground) => {
    await playground.page.getByLabel('Body as Hex').check()
    await playground.body.fill('zz')
    await playground.page.getByLabel('Tolerance in seconds').fill('0')
    await playground.expectVerdict('incomplete', 'A field is wrong')
  },
  'a shared delivery without its secret': async (playground) => {
    await playground.setCase({ header: 't=x,v3=y', body: '[' })
    await playground.expectVerdict('incomplete', 'Enter the secret')
  },
}

describeInBrowser('The playground', (open) => {
  it.each([1280, 390])('is accessible and fits in both themes: %i pixels wide', async (width) => {
    const options = { viewport: { width, height: 900 } }
    for (const [state, reach] of Object.entries(STATES)) {
      const playground = await PlaygroundPage.open(open, site.url, options)
      const { page } = playground
      await reach(playground)
      expect(await axeViolationsInBothThemes(page), state).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, state).toBeLessThanOrEqual(0)
    }
  })

  it('follows the color scheme that its page gives it', async () => {
    const playground = await PlaygroundPage.open(open, site.url, { colorScheme: 'light' })
    const colorOf = () =>
      playground.page.locator('signature-playground').evaluate((element) => {
        element.style.colorScheme = 'dark'
        const dark = getComputedStyle(element).backgroundColor
        element.style.colorScheme = ''
        return [dark, getComputedStyle(element).backgroundColor]
      })
    expect(await colorOf()).toEqual(['rgb(15, 18, 24)', 'rgb(255, 255, 255)'])
  })
})
