import { expect, it } from 'vitest'
import { vectorFiles, type Vector, type VectorGroup } from '../../../packages/core/test/support/vectors.js'
import { describeInBrowser } from '../../../sandbox/test/support/browser.js'
import { PlaygroundPage, PlaygroundSite } from './support/playground-page.js'
import { showAll, type HexCase, type Said } from './support/vectors-in-page.js'

const site = PlaygroundSite.forTests()

function caseOf(group: VectorGroup, { header, body, now }: Vector): HexCase {
  return {
    header,
    body,
    secret: group.secrets,
    apiKey: group.apiKeys,
    versions: group.versions,
    toleranceSeconds: Number(group.toleranceSeconds),
    futureToleranceSeconds: group.futureToleranceSeconds,
    receivedAt: now,
  }
}

/** What an independent implementation says. Vectors of the signature say nothing about the JSON of the body. */
function expected({ operation }: VectorGroup, { tcId, result, code }: Vector) {
  if (result === 'invalid') return { tcId, outcome: 'refused', code }
  return operation === 'webhook' ? { tcId, outcome: 'verified' } : { tcId, isSignatureValid: true }
}

function answered({ operation }: VectorGroup, { tcId, result }: Vector, said: Said) {
  const { outcome, code, isSignatureValid } = said
  if (result === 'valid' && operation === 'signature') return { tcId, isSignatureValid }
  return { tcId, outcome, ...(code !== undefined && { code }) }
}

describeInBrowser('The playground', (open) => {
  it.each(vectorFiles)(
    'accepts the valid vectors of $suite, and refuses the others with their code',
    async ({ testGroups }) => {
      const { page } = await PlaygroundPage.open(open, site.url)
      const cases = testGroups.flatMap((group) => group.tests.map((vector) => ({ group, vector })))
      const said = await showAll(
        page,
        cases.map(({ group, vector }) => caseOf(group, vector)),
      )
      const answers = cases.map(({ group, vector }, index) => answered(group, vector, said[index]!))
      expect(answers).toEqual(cases.map(({ group, vector }) => expected(group, vector)))
    },
  )
})
