import type { Version } from '@service-signature/core'
import { UsageError } from './exit.js'

const VERSIONS: readonly string[] = ['v1', 'v2', 'v3'] satisfies Version[]

/** `v1,v3` as a list. */
export function versionList(text: string): readonly Version[] {
  const names = text.split(',').map((name) => name.trim())
  if (!names.every(isVersion) || new Set(names).size !== names.length) {
    throw wrong('--versions', 'must list one or more of v1, v2 and v3, each once, such as v1,v3', text)
  }
  return names
}

function isVersion(name: string): name is Version {
  return VERSIONS.includes(name)
}

/** One of a few words. */
export function oneOf<Word extends string>(flag: string, words: readonly Word[], text: string): Word {
  const word = words.find((word) => word === text)
  if (word === undefined) throw wrong(flag, `must be one of ${words.join(', ')}`, text)
  return word
}

/** A Unix time in seconds, as its digits, because the digits are signed. */
export function unixTime(flag: string, text: string): string {
  if (!/^\d{1,12}$/.test(text)) {
    throw wrong(flag, 'must be a Unix time in seconds, such as 1743090080', text)
  }
  return text
}

/** A number of seconds above 0. */
export function positiveSeconds(flag: string, text: string, max = Infinity): number {
  const seconds = /^(?:\d+(?:\.\d+)?|Infinity)$/.test(text) ? Number(text) : NaN
  if (seconds > 0 && seconds <= max) return seconds
  throw wrong(
    flag,
    `must be a number of seconds above 0${max === Infinity ? ', or Infinity' : `, at most ${max}`}`,
    text,
  )
}

/** A whole number of seconds, negative for the past. */
export function offsetSeconds(flag: string, text: string): number {
  if (!/^[+-]?\d{1,9}$/.test(text)) {
    throw wrong(flag, 'must be a whole number of seconds, such as -600', text)
  }
  return Number(text)
}

/** A whole number from 1 up. */
export function count(flag: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw wrong(flag, 'must be a whole number, 1 or above', text)
  return Number(text)
}

const MAX_MILLISECONDS = 60_000

/** A whole number of milliseconds, at most a minute. */
export function milliseconds(flag: string, text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : NaN
  if (value <= MAX_MILLISECONDS) return value
  throw wrong(flag, `must be a whole number of milliseconds, at most ${MAX_MILLISECONDS}`, text)
}

function wrong(flag: string, rule: string, text: string): UsageError {
  return new UsageError(`${flag} ${rule}, got ${JSON.stringify(text)}.`)
}
