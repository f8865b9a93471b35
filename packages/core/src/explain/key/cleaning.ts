const QUOTES = `"'\`\u201c\u201d\u2018\u2019`

/** A line that was copied whole from a file of settings, or a value from a request. */
const NAME = /^(?:(?:export|set)[ \t]+)?[A-Za-z_][\w.-]{0,63}[ \t]{0,8}[=:][ \t]{0,8}/
const SCHEME = /^(?:Bearer|Basic|Token|ApiKey)[ \t]{1,8}/i

/** Without what cannot be seen at its ends: also what `trim` leaves, and line breaks that were written as `\n`. */
export function trimmed(key: string): string {
  let start = 0
  let end = key.length
  while (start < end && isInvisible(key[start]!)) start++
  for (;;) {
    if (end > start && isInvisible(key[end - 1]!)) end--
    else if (end - start > 2 && /^\\[nrt]$/.test(key.slice(end - 2, end))) end -= 2
    else return key.slice(start, end)
  }
}

export function unquoted(key: string): string {
  const isQuoted = key.length > 2 && QUOTES.includes(key[0]!) && QUOTES.includes(key.at(-1)!)
  return isQuoted ? key.slice(1, -1) : key
}

export function unnamed(key: string): string {
  return key.replace(NAME, '')
}

export function withoutScheme(key: string): string {
  return key.replace(SCHEME, '')
}

/** What `trimmed` takes away, in words. */
export function nameInvisible(key: string): string {
  const rest = trimmed(key)
  const start = key.indexOf(rest)
  const around = key.slice(0, start) + key.slice(start + rest.length)
  const names = NAMED.filter(([, pattern]) => pattern.test(around)).map(([name]) => name)
  return names.length === 0 ? 'invisible characters' : names.join(' and ')
}

const NAMED = [
  ['a line break', /[\n\r]/],
  ['a line break written as "\\n"', /\\[nr]$/],
  ['a space', / /],
  ['a tab', /\t/],
  ['a byte order mark', /\ufeff/],
] as const

function isInvisible(character: string): boolean {
  return /[\s\0\u200b-\u200f\u2060\ufeff]/.test(character)
}
