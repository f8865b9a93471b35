import { expect, it } from 'vitest'
import { vectorFiles } from '../support/vectors.js'
import { bytesOf } from './arbitraries.js'
import { haveSameValue } from './oracle/json.js'
import { verdictOn } from './oracle/verdict.js'

// The oracle has one API key at most.
const cases = vectorFiles
  .flatMap(({ testGroups }) => testGroups)
  .filter(({ apiKeys }) => apiKeys.length <= 1)
  .flatMap(({ tests, ...group }) => tests.map((vector) => ({ ...group, ...vector })))

it('the oracle agrees with every test vector', () => {
  expect(cases.length).toBeGreaterThan(1200)
  for (const { tcId, body, header, result, code, secretIndex, canonicalForm, ...group } of cases) {
    const rules = {
      ...group,
      secrets: group.secrets.length > 0 ? group.secrets : ['none'],
      apiKey: group.apiKeys[0] ?? 'none',
      versions: group.versions as typeof group.versions & readonly [never],
      toleranceSeconds: Number(group.toleranceSeconds),
    }
    const verdict = verdictOn(rules, Buffer.from(body, 'hex'), header, group.operation === 'webhook')
    const expected = result === 'valid' ? { secretIndex, canonicalForm } : { code }
    expect({ tcId, ...verdict }).toMatchObject({ tcId, ...expected })
  }
})

it.each([
  [true, '{"a":"x y","b":[10.0]}', '{ "b": [10], "a": "xy" }'],
  [true, '9007199254740993', '9007199254740992'],
  [true, '"\\u00e9"', '"\u00e9"'],
  [false, '{"a":1}', '{"a":2}'],
  [false, '{"a":1}', '{"b":1}'],
  [false, '[1,2]', '[2,1]'],
  [false, '"1"', '1'],
  [false, '[]', '{}'],
  [false, '"a\\n"', '"a"'],
  [false, '{"__proto__":1}', '{}'],
])('haveSameValue returns %s for %s and %s', (isSame, one, other) => {
  expect(haveSameValue(bytesOf(one), bytesOf(other))).toBe(isSame)
})
