import { useSignal, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { put } from './client.js'
import type { Faults } from './entity-types.js'
import { useResource } from './resource.js'
import type { Overview } from './types.js'

/** Some faults. Those that are undefined end. */
export type FaultChanges = { readonly [Name in keyof Faults]?: Faults[Name] | undefined }

interface FaultControl {
  readonly faults: Faults
  readonly change: (changed: FaultChanges) => Promise<void>
}

/** The faults that are set, and a way to change some of them; undefined until they are loaded. */
export function useFaults(): FaultControl | undefined {
  const { data } = useResource<Overview>('/_sandbox/overview/', { kinds: ['faults'] })
  const faults = useSignal<Faults | undefined>(undefined)
  const unanswered = useRef(0)
  useSignalEffect(() => {
    const loaded = data.value?.faults as Faults | undefined
    // What was loaded before a change must not replace it.
    if (unanswered.current === 0) faults.value = loaded
  })
  if (faults.value === undefined) return undefined
  return {
    faults: faults.value,
    change: async (changed) => {
      const now = withoutNothing({ ...faults.value, ...changed })
      faults.value = now
      unanswered.current += 1
      try {
        await put('/_sandbox/faults/', now)
      } finally {
        unanswered.current -= 1
      }
    },
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
