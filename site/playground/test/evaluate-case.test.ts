import { sign } from '@service-signature/core/testing'
import { describe, expect, it } from 'vitest'
import { evaluateCase } from '../src/evaluate-case.js'
import { EXAMPLES } from '../src/examples.js'
import { completeCase, type PlaygroundCase } from '../src/playground-case.js'

const evaluated = (given: PlaygroundCase, clock = 0) => evaluateCase(completeCase(given), clock)

const example = (id: string) => EXAMPLES.find((each) => each.id === id)!.given

const secret = 'test_signature_key'
const apiKey = 'test_account_api_key'
const body = '{"type": "intent.processed"}'
const header = sign(body, { secret, apiKey, timestamp: 1743090080 })

describe('the verdict', () => {
  it('is that a delivery verifies, by default at the time of its header', async () => {
    const { verdict, report } = await evaluated({ header, body, secret })
    expect(verdict).toEqual({ outcome: 'verified', sentence: 'This delivery verifies: v3 matches.' })
    expect(report!.ok).toBe(true)
  })

  it('names all versions that are required', async () => {
    const { verdict } = await evaluated({
      header,
      body,
      secret: ['old one', secret],
      apiKey,
      versions: ['v1', 'v2', 'v3'],
    })
    expect(verdict.sentence).toBe('This delivery verifies: v1, v2 and v3 match.')
  })

  it('is a refusal, with its code and status', async () => {
    const { verdict, report } = await evaluated({ header, body: `${body}\n`, secret })
    expect(verdict).toEqual({
      outcome: 'refused',
      sentence: 'Refused: the signature does not match the body: v3 under secret sha256:2bd272f7.',
      code: 'ERR_SIGNATURE_MISMATCH',
      status: 401,
    })
    expect(report!.hypotheses[0]!.names).toEqual(['body-trailing-newline'])
  })

  it('is a refusal where the time is now, and that is too late', async () => {
    const { verdict } = await evaluated({ header, body, secret, receivedAt: 'now' }, 1743100080_000)
    expect(verdict.code).toBe('ERR_TIMESTAMP_TOO_OLD')
  })

  it('says what createVerifier throws on a key that no verifier accepts', async () => {
    const { verdict, report } = await evaluated({ header, body, secret: `${secret}\n` })
    expect(verdict).toEqual({
      outcome: 'refused',
      sentence:
        'createVerifier throws: "secret" has white space at its start or end, perhaps a line break from a file.',
    })
    expect(report!.hypotheses[0]!.names).toEqual(['key-white-space'])
  })

  it('is a refusal of a delivery without header and body, if there is a key', async () => {
    const { verdict } = await evaluated({ secret })
    expect(verdict.code).toBe('ERR_SIGNATURE_MISSING')
  })

  it.each<[PlaygroundCase, string]>([
    [{}, 'Enter a header, a body and a key, or load an example.'],
    [{ header }, 'Enter the secret to verify this delivery: v3 is signed with it.'],
    [
      { body, versions: ['v2', 'v3'] },
      'Enter the secret to verify this delivery: v2 and v3 are signed with it.',
    ],
    [
      { body, secret, versions: ['v1', 'v3'] },
      'Enter the API key to verify this delivery: v1 is signed with it.',
    ],
  ])('is incomplete until something is added: %j', async (given, sentence) => {
    const { verdict, report, event } = await evaluated(given)
    expect(verdict).toEqual({ outcome: 'incomplete', sentence })
    expect(report).toBeUndefined()
    expect(event).toBeDefined()
  })
})

describe('a header that is refused', () => {
  it('is compared by its first readable t, and the first value of each version', async () => {
    const { versions } = await evaluated({
      header: `${header}, ${header.replaceAll('=', '=0')}`,
      body,
      secret,
    })
    const [v3] = versions
    expect(v3!.texts[0]!.digests[0]!.comparison!.matches).toBe(true)
  })
})

describe('the examples', () => {
  it('have ids of their own', () => {
    expect(new Set(EXAMPLES.map(({ id }) => id)).size).toBe(EXAMPLES.length)
  })

  it.each([
    ['valid', undefined],
    ['all-versions', undefined],
    ['re-serialized', 'ERR_SIGNATURE_MISMATCH'],
    ['wrong-secret', 'ERR_SIGNATURE_MISMATCH'],
    ['cut-body', 'ERR_SIGNATURE_MISMATCH'],
    ['old', 'ERR_TIMESTAMP_TOO_OLD'],
  ])('%s ends with %s', async (id, code) => {
    const { verdict } = await evaluated(example(id))
    expect(verdict.code).toBe(code)
    expect(verdict.outcome).toBe(code === undefined ? 'verified' : 'refused')
  })

  it('are found by explain', async () => {
    const found = async (id: string) => {
      const { report } = await evaluated(example(id))
      return report!.hypotheses[0]?.names[0] ?? report!.questions[0]!.name
    }
    expect(await found('re-serialized')).toBe('body-reserialized')
    expect(await found('wrong-secret')).toBe('other-secret')
    expect(await found('cut-body')).toBe('body-cut')
    expect(await found('old')).toBe('replay')
  })
})
