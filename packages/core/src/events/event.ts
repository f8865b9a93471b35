import { parseJson } from '../json/text.js'

/** An event as it was sent. `shape` tells the kinds apart. */
export interface UnrecognizedEvent {
  readonly shape: 'unrecognized'
  readonly type?: string
  /** What `JSON.parse` makes of the body. */
  readonly payload: unknown
  /** Why it is none of the known shapes. */
  readonly issues: readonly EventIssue[]
}

export interface EventIssue {
  readonly path: string
  readonly reason: string
}

export type WebhookEvent = UnrecognizedEvent

/** @throws {WebhookError} `ERR_BODY_NOT_JSON` */
export function readEvent(body: Uint8Array): WebhookEvent {
  const payload = parseJson(body)
  const type = typeof payload === 'object' && payload !== null && 'type' in payload ? payload.type : undefined
  return {
    shape: 'unrecognized',
    ...(typeof type === 'string' ? { type } : {}),
    payload,
    issues: [{ path: '', reason: 'typed events are not there yet' }],
  }
}
