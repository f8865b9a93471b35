import { describe, expect, it } from 'vitest'
import {
  createVerifier,
  type SignatureProof,
  type VerifierOptions,
  WebhookError,
} from '../../src/entries/index.js'
import { entries } from '../support/entries.js'
import { forEach } from '../support/for-each.js'
import { nameOf, type Vector, vectorFiles, type VectorGroup } from '../support/vectors.js'

type Outcome = Pick<Vector, 'result' | 'code' | 'secretIndex' | 'canonicalForm'>

/** The answer of the independent implementation, as the vector has it. */
function expected({ result, code, secretIndex, canonicalForm }: Vector): Outcome {
  return JSON.parse(JSON.stringify({ result, code, secretIndex, canonicalForm })) as Outcome
}

function accepted({ secretIndex, canonicalForm }: SignatureProof): Outcome {
  return { result: 'valid', secretIndex, ...(canonicalForm && { canonicalForm }) }
}

function refused(error: unknown): Outcome {
  if (!WebhookError.is(error)) throw error
  return { result: 'invalid', code: error.code }
}

function options(group: VectorGroup, vector: Vector): VerifierOptions {
  return {
    ...(group.secrets.length > 0 && { secret: group.secrets }),
    ...(group.apiKeys.length > 0 && { apiKey: group.apiKeys }),
    versions: group.versions,
    toleranceSeconds: Number(group.toleranceSeconds),
    futureToleranceSeconds: group.futureToleranceSeconds,
    now: () => vector.now,
  }
}

const groups = vectorFiles.flatMap(({ suite, testGroups }) =>
  testGroups.map((group) => [`${suite}: ${group.comment}`, group] as const),
)

it('there are vectors', () => {
  expect(groups.flatMap(([, group]) => group.tests).length).toBeGreaterThanOrEqual(250)
})

describe.each(entries)('the vectors on $digest', (entry) => {
  it.each(groups)('%s', (_name, group) =>
    forEach(group.tests, nameOf, async (vector) => {
      const verifier = entry.createVerifier(options(group, vector))
      const method = group.operation === 'webhook' ? verifier.verify : verifier.verifySignature
      const outcome = await method(Buffer.from(vector.body, 'hex'), vector.header).then(accepted, refused)
      expect(outcome).toEqual(expected(vector))
    }),
  )
})

describe('the vectors without a promise', () => {
  it.each(groups)('%s', (_name, group) =>
    forEach(group.tests, nameOf, (vector) => {
      const verifier = createVerifier(options(group, vector))
      const method = group.operation === 'webhook' ? verifier.verifySync : verifier.verifySignatureSync
      let outcome: Outcome
      try {
        outcome = accepted(method(Buffer.from(vector.body, 'hex'), vector.header))
      } catch (error) {
        outcome = refused(error)
      }
      expect(outcome).toEqual(expected(vector))
    }),
  )
})
