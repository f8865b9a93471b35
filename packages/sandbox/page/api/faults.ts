import { put } from './client.js'
import type { Faults } from './entity-types.js'
import { useResource } from './resource.js'
import type { Overview } from './types.js'

/** Some faults. Those that are undefined end. */
export type FaultChanges = { readonly [Name in keyof Faults]?: Faults[Name] | undefined }

/** The faults that are set, and a way to change some of them; undefined until they are loaded. */
export function useFaults():
  { readonly faults: Faults; readonly change: (changed: FaultChanges) => Promise<void> } | undefined {
  const { data } = useResource<Overview>('/_sandbox/overview/', { kinds: ['faults'] })
  if (data.value === undefined) return undefined
  const faults = data.value.faults as Faults
  return {
    faults,
    change: async (changed) => {
      await put('/_sandbox/faults/', withoutNothing({ ...faults, ...changed }))
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
