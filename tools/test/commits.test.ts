import { expect, it } from 'vitest'
import { faultsOf } from '../commits.js'

const PERSON = 'someone@example.com'
const DEPENDABOT = '49699333+dependabot[bot]@users.noreply.github.com'
const LONGEST = `fix(replay): ${'x'.repeat(59)}`

it.each([
  'build(deps-dev): bump the minor-and-patch group across 1 directory with 12 updates',
  'Bump actions/checkout from 7.0.1 to 7.1.0 in the actions group',
  'Bump actions/checkout from 7.0.1 to 7.1.0 in the actions group (#123)\n\nBumps the actions group.',
])('a commit of Dependabot passes with its message: %s', (message) => {
  expect(faultsOf(DEPENDABOT, message)).toEqual([])
  expect(faultsOf(PERSON, message)).toHaveLength(1)
})

it('the number that GitHub adds to the subject of a squashed pull request is not counted', () => {
  expect(faultsOf(PERSON, `${LONGEST} (#123)`)).toEqual([])
  expect(faultsOf(PERSON, `${LONGEST}x (#123)`)).toEqual([expect.stringContaining('has 73 characters')])
})
