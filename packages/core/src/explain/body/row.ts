import type { Version } from '../../versions.js'
import type { Advice, Answer, Row } from '../case.js'
import { BodyView } from './view.js'

/** What may have been signed in place of the body that arrived. */
export interface SignedBody {
  readonly body: BodyView
  readonly happened: string
  /** Fewer than those of the row. */
  readonly versions?: readonly Version[]
  /** Asked only to know whether to go on. */
  readonly isProbe?: true
  /** Not tried together with a second fault. */
  readonly isRare?: true
}

export type SignedBodies = Generator<SignedBody, void, Answer>

interface BodyRow extends Advice {
  readonly changes?: 'body' | 'print'
  readonly versions: readonly Version[]
  readonly signed: (arrived: BodyView) => SignedBodies
}

/** v2 and v1 do not see spaces and line breaks. A tab is none (S6.5), so v1 may see those. */
export const SEE_WHITE_SPACE: readonly Version[] = ['v3', 'v1']
export const SEE_CONTENT: readonly Version[] = ['v3', 'v2', 'v1']

/** A row that changes the body. Where v3 matches, there is nothing to change: it signs every byte. */
export function bodyRow({ signed, versions, changes = 'body', ...advice }: BodyRow): Row {
  return {
    ...advice,
    changes,
    versions,
    *variants({ body: arrived, proven, listed }) {
      if (proven.includes('v3')) return
      // v1 sees no more than v3, so it is asked only where it must match.
      const seeing = versions.filter((version) => version !== 'v1' || listed.includes(version))
      const bodies = signed(arrived)
      let step = bodies.next()
      while (step.done !== true) {
        const { body, ...rest } = step.value
        if (isSame(body.bytes, arrived.bytes)) {
          step = bodies.next(KNOWN)
          continue
        }
        step = bodies.next(yield { versions: seeing, ...rest, change: { body } })
      }
    },
  }
}

/** The body as it arrived has been tried. */
const KNOWN: Answer = { asked: true, matched: false }

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}

/** The sentence of a change that either side may have made. */
export function text(signed: string, happened: string): SignedBody {
  return { body: BodyView.ofText(signed), happened }
}
