import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { coalesced, onChange } from './changes.js'
import { get, put } from './client.js'
import type { Faults, Overview } from './types.js'

/** Some faults. Those that are undefined end. */
export type FaultChanges = { readonly [Name in keyof Faults]?: Faults[Name] | undefined }

/**
 * The faults that every field of the page shows. All fields share this copy, because the service takes all faults at once: a field with
 * an older copy would undo the change of another.
 */
const shown = signal<Faults | undefined>(undefined)
/** How often the page has changed the faults. */
let changes = 0
/** Ends when each change so far has its answer. */
let answered: Promise<unknown> = Promise.resolve()
let isFollowed = false

const load = coalesced(async () => {
  const changesBefore = changes
  await answered
  // Without an answer, the page shows that it is not connected, and loads again once it is.
  const overview = await get<Overview>('/_sandbox/overview/').catch(() => undefined)
  // An answer from before a change must not replace it.
  if (overview !== undefined && changes === changesBefore) shown.value = overview.faults
}, 100)

/** The faults that are set; undefined until they are loaded. */
export function useFaults(): Faults | undefined {
  useEffect(() => {
    if (isFollowed) return
    isFollowed = true
    // Followed on other pages, too, so that a form never starts from old faults.
    onChange(['faults'], load)
    load()
  }, [])
  return shown.value
}

/** Sets some faults, and leaves the others as they are. */
export function changeFaults(changed: FaultChanges): Promise<void> {
  return setFaults(withoutNothing({ ...shown.value, ...changed }))
}

/** Replaces all faults. Changes are sent one after the other, so that the last one wins. */
export async function setFaults(faults: Faults): Promise<void> {
  shown.value = faults
  changes += 1
  const answer = answered.then(() => put('/_sandbox/faults/', faults))
  answered = answer.catch(() => undefined)
  try {
    await answer
  } finally {
    // After a refusal, the page shows again which faults are set.
    load()
  }
}

/** Without what is not set: a fault that is undefined, false or 0, and a group of which none is left. */
function withoutNothing(value: object): object {
  const kept = Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
    const inner = typeof one === 'object' && one !== null ? withoutNothing(one) : one
    const isNothing = inner === undefined || inner === false || inner === 0 || inner === ''
    const isEmpty = typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0
    return isNothing || isEmpty ? [] : [[name, inner] as const]
  })
  return Object.fromEntries(kept)
}
