import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { recognize } from '../../src/entries/index.js'
import { intentEvent, transactionEvent } from '../../src/entries/testing.js'

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')) as Record<string, unknown>
const validate = new Ajv2020({ allowUnionTypes: true }).compile(read('events.schema.json'))

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** The places of all values. */
function pathsOf(value: Json, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, each]) => pathsOf(each, [...path, name]))]
}

/** A copy with another value at a place, or without that place. */
function changed(value: Json, [name, ...rest]: string[], other: Json | undefined): Json | undefined {
  if (name === undefined) return other
  const fields = value as Record<string, Json>
  const all = { ...fields, [name]: changed(fields[name]!, rest, other) }
  // As JSON, which leaves out what is undefined, and has null for it in an array.
  return JSON.parse(JSON.stringify(Array.isArray(value) ? Object.values(all) : all)) as Json
}

const events = [transactionEvent(), intentEvent()].map((event) => JSON.parse(JSON.stringify(event)) as Json)
const mutant = fc
  .constantFrom(...events.flatMap((event) => pathsOf(event).map((path) => ({ event, path }))))
  .chain(({ event, path }) =>
    fc
      .constantFrom<Json | undefined>(undefined, null, true, 5, '', 'PROCESSED', 'two words', [], [{}], {})
      .map((other) => changed(event, path, other)),
  )

it('the JSON Schema accepts exactly the payloads that are recognized', () => {
  const verdicts = new Set<boolean>()
  fc.assert(
    fc.property(mutant, (payload) => {
      const isRecognized = recognize(payload).shape !== 'unrecognized'
      verdicts.add(isRecognized)
      expect(validate(payload ?? null)).toBe(isRecognized)
    }),
    { numRuns: 2000 },
  )
  expect(verdicts).toEqual(new Set([true, false]))
})

it('the webhooks of OpenAPI name the events of the JSON Schema', () => {
  const { $defs } = read('events.schema.json')
  const { webhooks } = read('events.openapi.json')
  expect(Object.keys(webhooks as object)).toEqual(Object.keys($defs as object))
  expect(JSON.stringify(webhooks)).toContain('./events.schema.json#/$defs/TransactionEvent')
})
