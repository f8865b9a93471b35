import { VERSION_NAMES, VERSIONS, type KeyKind, type Version } from '../../versions.js'
import type { Advice, Case, Row, TrialKey } from '../case.js'

/** What may sign in place of the key that was given. */
export interface SigningKey {
  readonly material: string | Uint8Array
  /** What is wrong with the given key. */
  readonly happened: string
  /** Not tried together with a second fault. */
  readonly isRare?: true
}

interface KeyRow extends Advice {
  readonly signing: (given: string) => Iterable<SigningKey>
}

const KINDS: readonly KeyKind[] = ['secret', 'apiKey']

/** A row that changes one of the given keys. A kind of which a key has matched already is left alone. */
export function keyRow({ signing, ...advice }: KeyRow): Row {
  return {
    ...advice,
    changes: 'key',
    versions: VERSION_NAMES,
    *variants(start) {
      for (const kind of KINDS) {
        if (!mayBeWrong(kind, start)) continue
        for (const { label, material: given } of start.keys[kind]) {
          if (typeof given !== 'string') continue
          for (const { material, happened, isRare } of signing(given)) {
            // There is no such HMAC: Web Crypto takes no empty key.
            if (material.length === 0 || material === given) continue
            const key: TrialKey = { label, material }
            yield {
              change: { keys: { ...start.keys, [kind]: [key] } },
              happened: `the given ${label} ${happened}`,
              versions: signedWith(kind),
              ...(isRare && { isRare }),
            }
          }
        }
      }
    },
  }
}

/** Whether nothing has matched yet under a key of this kind. */
export function mayBeWrong(kind: KeyKind, { proven }: Case): boolean {
  return !signedWith(kind).some((version) => proven.includes(version))
}

function signedWith(kind: KeyKind): readonly Version[] {
  return VERSION_NAMES.filter((version) => VERSIONS[version].key === kind)
}
