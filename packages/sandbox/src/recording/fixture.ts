import { isoTimestamp } from '../events/timestamps.js'
import type { AttemptReport } from './attempt-report.js'
import { fieldOf, readFaults, readTime, type RecordedDelivery } from './recorded-delivery.js'

const FORMAT = 'service-signature-delivery'
const VERSION = 1

/** A delivery as a JSON file: everything that was sent, the status of the answer, and no key. */
export function fixtureOf({ at, type, url, headers, body, faults, answer }: AttemptReport) {
  return {
    format: FORMAT,
    version: VERSION,
    recorded_at: isoTimestamp(at),
    type,
    url,
    method: 'POST',
    headers,
    body,
    ...(faults.length > 0 && { faults }),
    answer: answer && { status: answer.status },
  }
}

/** The name of its file. Files of one folder are in the order of their deliveries; a retry replaces the attempt before. */
export function fixtureName({ created, type, delivery, faults }: AttemptReport): string {
  const time = isoTimestamp(created).slice(0, 23).replace(/[:.]/g, '-')
  const suffix = faults.map((fault) => `.${fault}`).join('')
  return `${time}_${type.replace(/[^\w.-]/g, '-').slice(0, 80)}_${delivery}${suffix}.json`
}

export function isFixture(value: unknown): boolean {
  return fieldOf(value, 'format') === FORMAT
}

/** @throws {Error} if a field is missing or wrong */
export function readFixture(value: unknown, place: string): RecordedDelivery {
  const version = fieldOf(value, 'version')
  if (version !== VERSION) {
    throw new Error(`${place}: version ${String(version)} is unknown; this package reads version ${VERSION}.`)
  }
  return {
    recordedAt: readTime(fieldOf(value, 'recorded_at'), 'recorded_at', place),
    type: readText(value, 'type', place),
    method: readText(value, 'method', place),
    headers: readHeaders(fieldOf(value, 'headers'), place),
    body: readBody(value, place),
    faults: readFaults(fieldOf(value, 'faults'), place),
    status: readStatus(fieldOf(value, 'answer'), place),
  }
}

function readText(value: unknown, name: string, place: string): string {
  const text = fieldOf(value, name)
  if (typeof text !== 'string') throw new Error(`${place}: "${name}" must be a text.`)
  return text
}

function readHeaders(value: unknown, place: string): Readonly<Record<string, string>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isObject && Object.values(value).every((text) => typeof text === 'string')) {
    return value as Readonly<Record<string, string>>
  }
  throw new Error(`${place}: "headers" must be an object whose values are texts.`)
}

function readBody(value: unknown, place: string): Buffer {
  const text = fieldOf(value, 'body')
  if (typeof text === 'string') return Buffer.from(text)
  const base64 = fieldOf(value, 'body_base64')
  if (typeof base64 === 'string') return Buffer.from(base64, 'base64')
  throw new Error(`${place}: "body" or "body_base64" must be a text.`)
}

function readStatus(answer: unknown, place: string): number | null {
  if (answer === null) return null
  const status = fieldOf(answer, 'status')
  if (Number.isInteger(status)) return status as number
  throw new Error(`${place}: "answer" must be null, or have a "status".`)
}
