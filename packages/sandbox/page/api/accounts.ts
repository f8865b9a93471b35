import type { Account } from './entity-types.js'
import { useResource } from './resource.js'
import type { Overview } from './types.js'

/** The accounts of the organization, the first one first. */
export function useAccounts(): readonly Account[] {
  const { data } = useResource<Overview & { readonly accounts: readonly Account[] }>('/_sandbox/overview/', {
    kinds: ['account'],
  })
  return data.value?.accounts ?? []
}
