import { expect, it } from 'vitest'
import { judge, type KnownSurvivor, type Report } from '../mutation/judge.js'

const SOURCE = 'const limit = 5\nreturn a > b && a > b\n'

/** The mutant that replaces what stands at a place, from 1. */
function mutant(status: string, line: number, [from, to]: readonly [number, number], replacement: string) {
  return {
    status,
    replacement,
    location: { start: { line, column: from }, end: { line, column: to } },
  }
}

const report: Report = {
  files: {
    'packages/core/src/header.ts': {
      source: SOURCE,
      mutants: [
        mutant('Killed', 1, [15, 16], '6'),
        mutant('Timeout', 1, [15, 16], '7'),
        mutant('Survived', 2, [8, 13], 'a >= b'),
        mutant('NoCoverage', 2, [8, 22], 'true'),
        mutant('CompileError', 2, [8, 13], 'a'),
      ],
    },
    'packages/core/src/replay/guard.ts': { source: SOURCE, mutants: [mutant('Killed', 1, [15, 16], '6')] },
    'packages/core/src/secrets/keys.ts': { source: SOURCE, mutants: [mutant('Ignored', 1, [15, 16], '6')] },
  },
}
const line = 'return a > b && a > b'
const inHeader = { file: 'packages/core/src/header.ts', line }
const first: KnownSurvivor = { ...inHeader, original: 'a > b', replacement: 'a >= b', reason: 'equal' }
const unlisted = { ...inHeader, original: 'a > b && a > b', replacement: 'true' }
const second: KnownSurvivor = { ...unlisted, reason: 'equal' }

it('counts for each module what was noticed, and nothing that could not run', () => {
  expect(judge(report, []).modules).toEqual([
    { module: 'header', noticed: 2, all: 4 },
    { module: 'replay', noticed: 1, all: 1 },
  ])
})

it('tells of a survivor what it replaces, and forgives what is listed', () => {
  expect(judge(report, [first])).toMatchObject({ unknown: [unlisted], stale: [] })
  expect(judge(report, [second, first])).toMatchObject({ unknown: [], stale: [] })
})

it('tells what is listed and does not survive, of the files that were mutated', () => {
  const gone = { ...first, replacement: 'a < b' }
  const elsewhere = { ...first, file: 'packages/core/src/match.ts' }
  expect(judge(report, [first, second, gone, elsewhere])).toMatchObject({ unknown: [], stale: [gone] })
  expect(judge(report, [first, first, second]).stale).toEqual([first])
})
