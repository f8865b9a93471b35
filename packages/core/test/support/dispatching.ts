import type { Dispatcher } from '../../src/entries/index.js'

/** The dispatched payloads: a known type that is recognized or invalid, or an unknown type. */
export const PAYLOADS = ['recognized', 'invalid', 'unknown'] as const

/** The handlers that are registered. `matching` has a pattern for each of the types. */
export const HANDLERS = [
  'matching',
  '*',
  'otherwise',
  '* and otherwise',
  'matching and otherwise',
  'none',
] as const

/** How each dispatch ends, and the handlers that it calls: a row for each of the payloads, in the order of HANDLERS. */
export const OUTCOMES: readonly (readonly (readonly string[])[])[] = [
  [
    ['handled', 'matching'],
    ['handled', '*'],
    ['handled', 'otherwise'],
    ['handled', '*'],
    ['handled', 'matching'],
    ['unhandled'],
  ],
  [
    ['ERR_EVENT_INVALID'],
    ['ERR_EVENT_INVALID'],
    ['handled', 'otherwise'],
    ['handled', 'otherwise'],
    ['handled', 'otherwise'],
    ['unhandled'],
  ],
  [
    ['handled', 'matching'],
    ['unhandled'],
    ['handled', 'otherwise'],
    ['handled', 'otherwise'],
    ['handled', 'matching'],
    ['unhandled'],
  ],
]

export function registered(
  dispatcher: Dispatcher,
  handlers: (typeof HANDLERS)[number],
  onCall: (name: string) => unknown,
): Dispatcher {
  if (handlers.startsWith('matching')) {
    dispatcher.on('transaction.purchase.successful', () => onCall('matching'))
    dispatcher.on('payout.*', () => onCall('matching'))
  }
  if (handlers.startsWith('*')) dispatcher.on('*', () => onCall('*'))
  if (handlers.endsWith('otherwise')) dispatcher.otherwise(() => onCall('otherwise'))
  return dispatcher
}
