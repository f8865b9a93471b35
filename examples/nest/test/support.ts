import { Logger, type INestApplication, type LoggerService } from '@nestjs/common'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { createHmac, randomUUID } from 'node:crypto'
import { vi } from 'vitest'

export const SECRET = 'test_signature_key'

/** Keeps the log out of the output, and for the tests. */
export function recordLog() {
  const log = { log: vi.fn(), warn: vi.fn(), error: vi.fn() } satisfies LoggerService
  Logger.overrideLogger(log)
  return log
}

/** A purchase that nobody has heard of before (S6.6, shape A), and its text. */
export function newTransaction() {
  const payload = transactionEvent({ intent: { id: randomUUID() } })
  return { payload, body: JSON.stringify(payload) }
}

/** The same, seen from its intent (shape B). */
export function newIntent() {
  const payload = intentEvent({ data: { intent_id: randomUUID() } })
  return { payload, body: JSON.stringify(payload) }
}

/** The header of S6.3, as it is written there. */
export function sign(body: string, { secret = SECRET, age = 0, version = 'v3' } = {}): string {
  const timestamp = String(Math.floor(Date.now() / 1000) - age)
  const message = Buffer.from(body).toString('base64') + timestamp
  return `t=${timestamp},${version}=${createHmac('sha256', secret).update(message).digest('hex')}`
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Posts it as the payment service does. */
export async function post(
  app: INestApplication,
  body: string,
  signature?: string,
  { path = '/webhooks', type = 'application/json' } = {},
): Promise<Answer> {
  const response = await fetch((await app.getUrl()) + path, {
    method: 'POST',
    headers: { 'Content-Type': type, ...(signature !== undefined && { 'Service-Signature': signature }) },
    body,
  })
  const { status, headers } = response
  return { status, headers, text: await response.text() }
}

/** A delivery that is genuine. */
export async function deliver(app: INestApplication, body: string, path?: string): Promise<Answer> {
  return post(app, body, sign(body), path === undefined ? {} : { path })
}
