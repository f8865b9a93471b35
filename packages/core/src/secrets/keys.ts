/** One key, or several of which any may have signed: the current one and the previous. */
export type Keys = string | readonly string[]

/** Where keys come from when they are not fixed: a vault, a database, the payment service. */
export interface SecretSource {
  get(): Keys | Promise<Keys>
}

/** What `secret` and `apiKey` may be: fixed keys, a source, or a function that stands for one. */
export type SecretOption = Keys | SecretSource | SecretSource['get']

/** The keys as a list; or why they are none, in words that do not show them. */
export function checkKeys(keys: unknown, name: string): readonly string[] {
  const list: readonly unknown[] = Array.isArray(keys) ? [...(keys as unknown[])] : [keys]
  if (list.length === 0) throw new TypeError(`"${name}" is an empty list: it must hold at least one key`)
  return list.map((key, index) => checkKey(key, Array.isArray(keys) ? `${name}[${index}]` : name))
}

/** One key, with the name under which it was given. */
export function checkKey(key: unknown, name: string): string {
  if (typeof key !== 'string') {
    throw new TypeError(
      `"${name}" must be a string, and is ${key === null ? 'null' : `of type ${typeof key}`}`,
    )
  }
  if (key === '') throw new TypeError(`"${name}" is empty: is the environment variable set?`)
  if (key !== key.trim()) {
    throw new TypeError(
      `"${name}" has white space at its start or end: a line break from a file, perhaps? Trim it.`,
    )
  }
  // Nobody issues such a key. It is what indexing or spreading a string gives: secret[0], [...secret].
  if (key.length === 1) throw new TypeError(`"${name}" is a single character: was one taken out of the key?`)
  return key
}
