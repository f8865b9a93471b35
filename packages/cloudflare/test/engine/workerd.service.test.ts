import { replayStoreCases } from '@service-signature/core/testing'
import { describe, expect, it } from 'vitest'
import { useWorkerd } from './support/workerd.js'
import { isMissing } from '@service-signature/contract/services'

const workerd = useWorkerd()

const KINDS = { d1: 'D1', objects: 'Durable Objects', 'old-objects': 'Durable Objects without SQLite' }
const NAMES = replayStoreCases(() => Promise.reject(new Error('They run in workerd'))).map(({ name }) => name)

describe.skipIf(isMissing('drivers')).each(Object.entries(KINDS))('in a Worker over %s', (kind) => {
  it.each(NAMES.map((name, index) => [name, index] as const))('%s', async (_name, index) => {
    const response = await workerd().dispatchFetch(`http://worker/${kind}/${index}`)
    expect(await response.text()).toBe('passed')
  })
})
