import { expect, it } from 'vitest'
import { judge, readCases } from '../../../packages/explain/test/corpus/corpus.js'
import { describeInBrowser } from '../../../sandbox/test/support/browser.js'
import { EXAMPLES } from '../src/examples.js'
import recorded from '../src/recorded-faults.json' with { type: 'json' }
import { PlaygroundPage, PlaygroundSite } from './support/playground-page.js'

const site = PlaygroundSite.forTests()
const corpus = readCases(new URL('../../../packages/explain/test/corpus/', import.meta.url))

describeInBrowser('The examples', (open) => {
  it.each([
    ['valid', 'verified', 'v3 matches'],
    ['all-versions', 'verified', 'v1, v2, v3 match'],
    ['re-serialized', 'refused', '[body-reserialized]'],
    ['wrong-secret', 'refused', '[other-secret]'],
    ['cut-body', 'refused', '512'],
    ['old', 'refused', '[replay]'],
  ] as const)('%s is %s', async (id, outcome, finding) => {
    const playground = await PlaygroundPage.open(open, site.url)
    await playground.loadExample(id)
    await playground.expectVerdict(outcome)
    await expect.poll(() => playground.finding.innerText()).toContain(finding)
  })

  it.each(recorded.faults)('$title: the first line names the cause', async ({ id }) => {
    const playground = await PlaygroundPage.open(open, site.url)
    await playground.loadExample(id)
    await playground.expectVerdict('refused')
    const recording = corpus.find((each) => each.id === id)!
    const finding = await playground.finding.innerText()
    for (const name of recording.expect.split('+')) expect(finding).toContain(name)
    expect(finding).toMatch(new RegExp(recording.says, 'is'))
    // And so says the report, by the judgment of the corpus.
    const { given } = EXAMPLES.find((example) => example.id === id)!
    const { report } = await playground.setCase(given)
    expect(judge(recording, report!)).toEqual({ isRight: true, wrongClaims: [] })
    await playground.page.getByText('Fix', { exact: true }).first().waitFor()
  })
})
