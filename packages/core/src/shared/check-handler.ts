import { typeName } from './check-options.js'

/**
 * For an adapter that calls the handler itself: there must be a handler or a dispatcher, and not both.
 *
 * @param form how a handler looks in this host, for the message: `(webhook, request) => Response`
 */
export function checkHandler(handler: unknown, options: { dispatcher?: unknown }, form: string): void {
  const dispatcher = Object.hasOwn(options, 'dispatcher') ? options.dispatcher : undefined
  if (dispatcher !== undefined && handler !== undefined) {
    throw new TypeError('serviceSignature: a "dispatcher" replaces the handler; pass one of the two')
  }
  if (dispatcher === undefined && typeof handler !== 'function') {
    throw new TypeError(
      `serviceSignature: expected a handler, ${form}, or a "dispatcher" among the options, got ${typeName(handler)}`,
    )
  }
}
