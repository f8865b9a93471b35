import { expect, it } from 'vitest'
import { PROVIDERS } from '../../server/faults/providers.js'
import { route } from '../../server/payments/routing.js'

it.each([
  [undefined, ['north'], undefined, 'east'],
  ['SMART_RECURRING_SETUP', ['north'], undefined, 'south'],
  ['SMART_RECURRING_SETUP', ['north', 'south'], undefined, 'east'],
  ['SMART_RECURRING_PROCESSING', [], undefined, 'east'],
  ['SMART_RECURRING_PROCESSING', ['south'], undefined, 'south'],
  ['SMART_RECURRING_RECOVERY', ['north', 'south'], 'north', 'south'],
  ['SMART_RECURRING_RECOVERY', ['north'], 'north', undefined],
] as const)(
  '%s with coverage at %j after a failure at %s goes to %s',
  (action, covered, failedAt, chosen) => {
    const found = route({
      action,
      // Those that map agreements are not the first.
      possible: [...PROVIDERS].sort((a, b) => a.id.localeCompare(b.id)),
      isCovered: ({ id }) => (covered as readonly string[]).includes(id),
      failedAt,
    })
    expect(found?.id).toBe(chosen)
  },
)
