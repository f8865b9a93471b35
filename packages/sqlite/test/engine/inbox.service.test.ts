import { inboxCases, waitingCases } from '@service-signature/contract/inbox-cases'
import { describe, expect } from 'vitest'
import { HAS_LIBSQL, overClient, overDriver, SYNCHRONOUS, useFile } from './support/drivers.js'
import { isMissing } from '@service-signature/contract/services'

describe.skipIf(isMissing('drivers')).each(SYNCHRONOUS)('over $name', (driver) => {
  inboxCases(overDriver(useFile(), driver))
})

describe.skipIf(isMissing('drivers')).each(SYNCHRONOUS)('over $name without a write-ahead log', (driver) => {
  inboxCases(overDriver(useFile('DELETE'), driver))
})

describe.skipIf(isMissing('drivers') || !HAS_LIBSQL)('over @libsql/client', () => {
  let begun = 0
  const database = overClient(useFile(), () => begun++)
  inboxCases(database)
  waitingCases(database, {
    async isWaiting() {
      const before = begun
      await expect.poll(() => begun).toBeGreaterThan(before + 1)
    },
  })
})
