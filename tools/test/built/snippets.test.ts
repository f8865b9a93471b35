import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasRedis, startRedis } from '@service-signature/contract/redis-server'
import { startSandbox } from '@service-signature/sandbox'
import { faultsOf } from '../../snippets/compile.js'
import { makeFolder } from '../../snippets/folder.js'
import { runSnippet, type Surroundings } from '../../snippets/run.js'
import { snippets, type Snippet } from '../../snippets/snippets.js'

const all = snippets()
const isRedisThere = hasRedis()

let folder: string
beforeAll(() => {
  folder = makeFolder()
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

it('there are snippets in the documents', () => {
  expect(all.length).toBeGreaterThan(20)
})

describe('the types', () => {
  const pathOf = ({ name, block }: Snippet) =>
    join(folder, `checked-${name.replaceAll(/\W/g, '-')}.${block.language}`)
  let faults: ReadonlyMap<string, string[]>

  beforeAll(() => {
    for (const snippet of all) writeFileSync(pathOf(snippet), snippet.program)
    faults = faultsOf(all.map(pathOf))
  }, 120_000)

  it.each(all.map((snippet) => [snippet.name, snippet] as const))(
    'know all that %s says',
    (_name, snippet) => {
      expect(faults.get(pathOf(snippet))).toBeUndefined()
    },
  )
})

describe('as it is written', () => {
  let surroundings: Surroundings
  const ends: (() => Promise<void>)[] = []

  beforeAll(async () => {
    const sandbox = await startSandbox({ seed: 1 })
    ends.push(sandbox.close)
    const redis = isRedisThere ? await startRedis() : undefined
    if (redis !== undefined) ends.push(redis.stop)
    surroundings = { folder, sandbox, redisUrl: redis?.url }
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  for (const snippet of all) {
    // Where there is no Redis, that was said.
    const isLeftOut = !isRedisThere && snippet.anatomy.environment.includes('REDIS_URL')
    it.skipIf(isLeftOut)(`${snippet.name} runs, and does what it says`, async () => {
      await runSnippet(snippet, surroundings)
    })
  }
})
