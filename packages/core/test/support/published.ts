import { readFileSync } from 'node:fs'

/** Vectors of others. Each file says where it comes from; its license is in a file next to it. */
function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../published/${name}.json`, import.meta.url), 'utf8'))
}

export interface MacVector {
  readonly tcId: number
  readonly comment: string
  readonly key: string
  readonly msg: string
  readonly tag: string
  readonly result: 'valid' | 'invalid'
}

/** HMAC-SHA256 of Wycheproof: those with a whole tag. */
export const { tests: MAC_VECTORS } = read('wycheproof-hmac-sha256') as {
  readonly tests: readonly MacVector[]
}

type Encoded = string | { readonly repeat: string; readonly times: number; readonly then: string }

const { files } = read('json-test-suite') as { readonly files: Readonly<Record<string, Encoded>> }

/** The texts of JSONTestSuite by their names, which begin with y (valid), n (not JSON) or i (either). */
export const JSON_TEXTS: readonly (readonly [name: string, text: Buffer])[] = Object.entries(files).map(
  ([name, file]) => [name, decode(file)],
)

function decode(file: Encoded): Buffer {
  return typeof file === 'string'
    ? Buffer.from(file, 'base64')
    : Buffer.from(file.repeat.repeat(file.times) + file.then)
}
