/** `1 space`, `2 spaces`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** `v1`, `v1 and v2`, `v1, v2 and v3`. */
export function joinedWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`
}

/** The first sentence of a message, without its full stop. */
export function firstSentence(message: string): string {
  return message.split('. ', 1)[0]!.replace(/\.$/, '')
}

/** The text with its first letter in lower case, to follow a colon. */
export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** A duration as a person reads it. */
export function duration(seconds: number): string {
  const unit = UNITS.find(([, size]) => seconds >= 2 * size)
  if (unit === undefined) return counted(Math.round(seconds), 'second')
  const [name, size] = unit
  return counted(Math.floor(seconds / size), name)
}

/** A time in UTC: `2025-03-27 15:41:20 UTC`. */
export function utcTime(milliseconds: number): string {
  const date = new Date(milliseconds)
  if (Number.isNaN(date.getTime())) return 'a time that no calendar has'
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
