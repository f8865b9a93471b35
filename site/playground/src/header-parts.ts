import { parseSignatureHeader, type SignatureHeader, type Version } from '@service-signature/core'
import { isVersion } from '@service-signature/core/signature/names'
import { VERSIONS } from '@service-signature/core/signature/versions'
import type { CompleteCase } from './playground-case.js'
import { Refusal, resultOf } from './refusal.js'
import { duration, utcTime } from './words.js'

/** An element of the header. */
export interface HeaderPart {
  readonly name: string
  readonly value: string
  readonly status: 'good' | 'ignored' | 'wrong'
  /** What it is, or what is wrong. */
  readonly note: string
}

/** The header, taken apart also if the verifier refuses it. */
export interface HeaderParts {
  readonly parts: readonly HeaderPart[]
  /** The first `t` that is valid by itself. */
  readonly timestamp?: string
  /** What the verifier reads. */
  readonly parsed?: SignatureHeader
  /** Why the verifier refuses it. */
  readonly problem?: string
}

/** The header as the verifier reads it, or why it does not. */
export function parsedHeader(header: CompleteCase['header']): Pick<HeaderParts, 'parsed' | 'problem'> {
  const parsed = resultOf(() => parseSignatureHeader(header))
  return parsed instanceof Refusal ? { problem: parsed.sentence } : { parsed }
}

/** @param now when it was received, in milliseconds */
export function headerParts(given: CompleteCase, now: number): HeaderParts {
  const { header, versions } = given
  const text = header === null ? '' : [header].flat().join(', ')
  const seen = new Map<string, string>()
  const parts: HeaderPart[] = []
  for (const element of text === '' ? [] : text.split(',')) {
    const trimmed = element.trim()
    const equals = trimmed.indexOf('=')
    const name = equals === -1 ? trimmed : trimmed.slice(0, equals)
    const value = equals === -1 ? '' : trimmed.slice(equals + 1)
    const wrong = problemOf(element, name, seen.get(name))
    seen.set(name, element)
    if (wrong !== undefined) parts.push({ name, value, status: 'wrong', note: wrong })
    else if (name === 't') parts.push({ name, value, status: 'good', note: timeNote(value, now) })
    else if (isVersion(name)) parts.push({ name, value, status: 'good', note: versionNote(name, versions) })
    else parts.push({ name, value, status: 'ignored', note: 'The verifier ignores it.' })
  }
  const time = parts.find(({ name, status }) => name === 't' && status === 'good')
  return { parts, ...parsedHeader(header), ...(time !== undefined && { timestamp: time.value }) }
}

/** What the grammar refuses in an element by itself, or together with an earlier one of the same name. */
function problemOf(element: string, name: string, earlier: string | undefined): string | undefined {
  // A header with nothing but valid elements around the one in question.
  const elements = [...(name === 't' ? [] : ['t=1']), ...(earlier === undefined ? [] : [earlier]), element]
  const parsed = resultOf(() => parseSignatureHeader(elements.join(',')))
  if (!(parsed instanceof Refusal)) return undefined
  const [, detail] = parsed.sentence.split(': ') as [string, string]
  return `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`
}

function timeNote(seconds: string, now: number): string {
  const age = now / 1000 - Number(seconds)
  const signed = `Signed at ${utcTime(Number(seconds) * 1000)}`
  if (Math.abs(age) < 0.5) return `${signed}, when it was received.`
  return `${signed}, ${duration(Math.abs(age))} ${age < 0 ? 'after' : 'before'} it was received.`
}

function versionNote(name: Version, required: readonly Version[]): string {
  const key = VERSIONS[name].key === 'secret' ? 'the secret' : 'the API key'
  return `HMAC with ${key}${required.includes(name) ? ', required here' : ', not required here'}.`
}
