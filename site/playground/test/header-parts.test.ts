import { describe, expect, it } from 'vitest'
import { headerParts } from '../src/header-parts.js'
import { completeCase, type PlaygroundCase } from '../src/playground-case.js'

const digest = '0123456789abcdef'.repeat(4)

function partsOf(header: PlaygroundCase['header'], now = 1743090092_000) {
  return headerParts(completeCase(header === undefined ? {} : { header }), now)
}

/** Name and status of each part. */
function namesIn(header: string) {
  return partsOf(header).parts.map(({ name, status }) => `${name} ${status}`)
}

describe('the header, taken apart', () => {
  it('has a time with its age, and what each digest is made with', () => {
    expect(partsOf(`t=1743090080, v1=${digest},v3=${digest}`)).toEqual({
      parts: [
        {
          name: 't',
          value: '1743090080',
          status: 'good',
          note: 'Signed at 2025-03-27 15:41:20 UTC, 12 seconds before it was received.',
        },
        { name: 'v1', value: digest, status: 'good', note: 'HMAC with the API key, not required here.' },
        { name: 'v3', value: digest, status: 'good', note: 'HMAC with the secret, required here.' },
      ],
      timestamp: '1743090080',
      parsed: { timestamp: '1743090080', signatures: { v1: digest, v3: digest } },
    })
  })

  it('says whether it was signed before, after or when it was received', () => {
    const noteAt = (now: number) => partsOf('t=1743090080', now).parts[0]!.note
    expect(noteAt(1743090080_400)).toBe('Signed at 2025-03-27 15:41:20 UTC, when it was received.')
    expect(noteAt(1743089080_000)).toContain(', 16 minutes after it was received.')
  })

  it('has no parts where there is no header, and the reason of the verifier', () => {
    const problem = 'The request has no Service-Signature header.'
    expect(partsOf(undefined)).toEqual({ parts: [], problem })
    expect(partsOf('')).toMatchObject({ parts: [], problem: expect.stringContaining('malformed') as string })
  })

  it('shows what is wrong with an element, next to those that are right', () => {
    const { parts, problem, timestamp, parsed } = partsOf(`t=1743090080,v3=${digest.toUpperCase()},x`)
    expect(parts.map(({ status, note }) => [status, note]).slice(1)).toEqual([
      ['wrong', '"v3" is not 64 lowercase hex digits.'],
      ['wrong', 'An element is not name=value.'],
    ])
    expect(problem).toBe('The Service-Signature header is malformed: "v3" is not 64 lowercase hex digits.')
    expect(timestamp).toBe('1743090080')
    expect(parsed).toBeUndefined()
  })

  it('shows a wrong time, a repeated element, an unknown element and an empty one', () => {
    expect(namesIn(`t=17430900x,v3=${digest}`)).toEqual(['t wrong', 'v3 good'])
    expect(namesIn(`t=1,t=2,v3=${digest},v3=${digest}`)).toEqual(['t good', 't wrong', 'v3 good', 'v3 wrong'])
    expect(namesIn('t=1,v9=abc,')).toEqual(['t good', 'v9 ignored', ' wrong'])
  })

  it('joins a header that was sent twice, which the verifier refuses', () => {
    const { parts, problem } = partsOf(['t=1', `v3=${digest}`])
    expect(parts.map(({ name }) => name)).toEqual(['t', 'v3'])
    expect(problem).toBe('The Service-Signature header is malformed: it was sent 2 times.')
  })
})
