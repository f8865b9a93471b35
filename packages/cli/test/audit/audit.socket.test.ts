import { expect, it, vi } from 'vitest'
import { audit } from '../../src/audit/audit.js'
import { CASES } from '../../src/audit/cases.js'
import { Sender } from '../../src/audit/sender.js'
import { findTarget } from '../../src/audit/target.js'
import { apiKey, secret } from '../support/truth.js'
import { endpointOf } from './support/recipe.js'
import { serve } from './support/serve.js'

it.each([
  ['the first case is among them', CASES.slice(0, 3)],
  ['it is not', CASES.slice(1, 3)],
])('the progress is told of each case once: %s', async (_what, cases) => {
  const onCase = vi.fn()
  const { results } = await audit({
    target: await findTarget(await serve(endpointOf({})), { isOwn: false }),
    sender: new Sender({ secret, apiKey }, ['v3'], Date.now),
    first: CASES[0]!,
    cases,
    paceMs: 0,
    timeoutSeconds: 5,
    onCase,
  })
  expect(results.map(({ name }) => name)).toEqual(cases.map(({ name }) => name))
  expect(onCase).toHaveBeenCalledTimes(cases.length)
})
