import * as core from '@service-signature/core'
import { explain } from '@service-signature/explain'
import { Outcome } from './outcome.js'

/**
 * Runs every vector with a promise and, where the entry of core has such functions, without one. The vectors are described
 * in test-vectors/README.md.
 */
export async function runVectors(files) {
  const outcome = new Outcome()
  const ways = 'verifySync' in core ? ['', 'Sync'] : ['']
  for (const { suite, testGroups = [] } of files) {
    for (const group of testGroups) {
      for (const vector of group.tests) {
        const { tcId, comment, code, secretIndex, canonicalForm } = vector
        const expected = vector.result === 'valid' ? { secretIndex, canonicalForm } : { code }
        for (const way of ways) {
          await outcome.test(`${suite} ${tcId}${way} (${comment})`, async () => {
            equal(await resultOf(group, vector, way), expected)
          })
        }
      }
    }
  }
  await outcome.test('explain finds a line break after the body', async () => {
    const [body, secret, timeLimitMilliseconds] = ['{"amount":10.5}', 'test_signature_key', 10_000]
    const header = 't=1743090080,v3=40e216d192ce29dea04c09bcf51f4d3d488266e140f9b19182a6c9887fce979e'
    const report = await explain(`${body}\n`, header, {
      secret,
      now: () => 1743090080_000,
      timeLimitMilliseconds,
    })
    equal(
      report.hypotheses.map(({ names }) => names),
      [['body-trailing-newline']],
    )
  })
  return outcome
}

async function resultOf(group, { body, header, now }, way) {
  const { operation, secrets, apiKeys, versions, toleranceSeconds, futureToleranceSeconds } = group
  const verifier = core.createVerifier({
    ...(secrets.length > 0 && { secret: secrets }),
    ...(apiKeys.length > 0 && { apiKey: apiKeys }),
    ...{ versions, futureToleranceSeconds, toleranceSeconds: Number(toleranceSeconds), now: () => now },
  })
  const bytes = bytesOf(body)
  const name = operation === 'webhook' ? 'verify' : 'verifySignature'
  try {
    const { secretIndex, canonicalForm } = await verifier[`${name}${way}`](bytes, header)
    return { secretIndex, canonicalForm }
  } catch (error) {
    if (!core.WebhookError.is(error)) throw error
    return { code: error.code }
  }
}

/** The bytes of hexadecimal digits. */
export function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
}

/** Not every runtime has node:assert. */
export function equal(actual, expected) {
  const [got, wanted] = [actual, expected].map((value) => JSON.stringify(value))
  if (got !== wanted) throw new Error(`expected ${wanted}, got ${got}`)
}
