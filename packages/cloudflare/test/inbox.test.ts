import { d1Inbox } from '@service-signature/cloudflare'
import { memoryReplayStore } from '@service-signature/core'
import { describe, expect, it, vi } from 'vitest'

const db = { prepare: vi.fn(), batch: vi.fn() } as never

describe('d1Inbox', () => {
  it.each<[binding: unknown, type: string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['DB', 'string'],
    [memoryReplayStore(), 'object'],
  ])('refuses the binding %j, with the lines of the configuration', (binding, type) => {
    expect(() => d1Inbox(binding as never)).toThrow(
      new TypeError(
        'd1Inbox: expected a D1 database, such as env.DB. wrangler.jsonc must have ' +
          `"d1_databases": [{ "binding": "DB", "database_name": "...", "database_id": "..." }], got ${type}`,
      ),
    )
  })

  it.each<[options: object, error: typeof TypeError | typeof RangeError, message: string]>([
    [{ tabel: 'inbox' }, TypeError, 'd1Inbox'],
    [{ waitSeconds: 5 }, TypeError, '"waitSeconds"'],
    [{ table: 'in box' }, TypeError, '"table" must be a name'],
    [{ table: `a${'b'.repeat(100)}` }, TypeError, 'at most 100 characters'],
    [{ ttlSeconds: 0 }, RangeError, '"ttlSeconds"'],
    [{ ttlSeconds: 389 }, RangeError, '"ttlSeconds" must be at least 390, got 389'],
    [{ leaseSeconds: -1 }, RangeError, '"leaseSeconds"'],
    [{ timeoutSeconds: 3601 }, RangeError, '"timeoutSeconds"'],
    [{ replayKey: 'id' }, TypeError, '"replayKey" must be a function'],
  ])('refuses the options %j', (options, error, message) => {
    const make = () => d1Inbox(db, options)
    expect(make).toThrow(error)
    expect(make).toThrow(message)
  })

  it('remembers for 30 days by default', () => {
    expect(d1Inbox(db)).toMatchObject({ ttlSeconds: 30 * 86_400, leaseSeconds: 60 })
  })
})
