import type { Account, Overview } from './types.js'
import { useResource } from './resource.js'

/** The accounts of the organization, the first one first. */
export function useAccounts(): readonly Account[] {
  const { data } = useResource<Overview>('/_sandbox/overview/', {
    kinds: ['account'],
  })
  return data.value?.accounts ?? []
}
