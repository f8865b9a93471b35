import fc from 'fast-check'
import { expect } from 'vitest'
import { type SignatureProof, WebhookError } from '../../src/entries/index.js'
import { API_KEY, SECRET } from './arbitraries.js'
import type { Rules, Verdict } from './oracle/verdict.js'

/**
 * How often a property runs: its examples and `count` generated inputs, or, with PROPERTY_SECONDS, as many as that time
 * allows.
 */
export function runs<Value>(
  count: number,
  examples: readonly NoInfer<Value>[] = [],
): fc.Parameters<[value: Value]> {
  const seconds = Number(process.env['PROPERTY_SECONDS'] ?? 0)
  return {
    examples: examples.map((example) => [example]),
    numRuns: seconds > 0 ? Number.MAX_SAFE_INTEGER : examples.length + count,
    plugins: seconds > 0 ? [fc.interruptAfterTimeLimit(seconds * 1000) as fc.Plugin<[Value]>] : [],
  }
}

export type Answer<Value> = { value: Value; error?: undefined } | { value?: undefined; error: WebhookError }

/** The result of a call, or its WebhookError. Any other error fails the property. */
export async function attempt<Value>(call: () => Value | Promise<Value>): Promise<Answer<Value>> {
  try {
    return { value: await call() }
  } catch (error) {
    if (WebhookError.is(error)) return { error }
    throw error
  }
}

/** Compares an answer of the verifier with the verdict of the oracle. */
export function expectAnswer(
  { value, error }: Answer<SignatureProof>,
  verdict: Verdict,
  rules: Rules,
  body: Uint8Array,
): void {
  expect(error?.code ?? 'accepted').toBe('code' in verdict ? verdict.code : 'accepted')
  if (error !== undefined) expectNoKeys(`${error.message}${error.stack ?? ''}`)
  if (value === undefined || 'code' in verdict) return
  const { timestamp, signedAt, secretIndex, canonicalForm, versions, rawBody } = value
  expect({ timestamp, secretIndex, canonicalForm, versions }).toEqual({
    ...verdict,
    timestamp: Number(verdict.timestamp),
    versions: rules.versions,
  })
  expect(signedAt.getTime()).toBe(timestamp * 1000)
  expect(Buffer.compare(rawBody, body)).toBe(0)
}

const KEYS = [SECRET, API_KEY].flatMap((key) => {
  const bytes = Buffer.from(key)
  return [key, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')]
})

/** Checks that a text for a log contains no key, in any common encoding. */
export function expectNoKeys(text: string): void {
  expect(KEYS.filter((key) => text.includes(key))).toEqual([])
}
