import { describe, expect, it } from 'vitest'
import type { Version } from '@service-signature/core'
import type { HypothesisName } from '../../src/index.js'
import type { State } from '../../src/rules/fault-rule.js'
import { Findings } from '../../src/search/findings.js'

describe('among several findings', () => {
  const add = (findings: Findings, proven: readonly Version[], ...names: readonly HypothesisName[]) => {
    const faults = names.map((name) => ({ name, happened: name }))
    findings.add({ listed: ['v3'], proven, faults } as unknown as State, proven)
  }
  const order = (findings: Findings) =>
    findings.ranked.map(({ state }) => state.faults.map(({ name }) => name).join())

  it('the one with the fewest faults comes first, then the likeliest', () => {
    const findings = new Findings()
    add(findings, ['v3'], 'key-white-space', 'key-quoted')
    add(findings, ['v3'], 'replay')
    add(findings, ['v3'], 'key-hex')
    expect(order(findings)).toEqual(['key-hex', 'replay', 'key-white-space,key-quoted'])
  })

  it('those that explain every required version exclude the others', () => {
    const findings = new Findings()
    add(findings, ['v2'], 'key-quoted')
    expect(order(findings)).toEqual(['key-quoted'])
    add(findings, ['v1'], 'body-quoted')
    expect(order(findings)).toEqual(['key-quoted', 'body-quoted'])
    add(findings, ['v3'], 'replay')
    expect(order(findings)).toEqual(['replay'])
  })
})
