import { useSignal, type ReadonlySignal } from '@preact/signals'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import { coalesced, useChanges } from './changes.js'
import { get } from './client.js'
import type { Overview } from './types.js'

/** An answer of the control API that follows the changes of the service. */
export interface Resource<Data> {
  /** Undefined until the first answer. */
  readonly data: ReadonlySignal<Data | undefined>
  readonly problem: ReadonlySignal<Error | undefined>
  readonly reload: () => void
}

interface ResourceOptions<Data> {
  readonly kinds?: readonly string[]
  readonly id?: string | undefined
  readonly load?: (path: string, signal: AbortSignal) => Promise<Data>
  /** Whether the answer of the path before stays until the next one arrives. */
  readonly isKept?: boolean
}

/**
 * Gets a path, and gets it again at each change of these kinds; with `id`, only at changes of that one.
 *
 * @example const intent = useResource<Intent>(`/_sandbox/intents/${id}/`, { kinds: ['intent', 'delivery'] })
 */
export function useResource<Data>(path: string, options: ResourceOptions<Data> = {}): Resource<Data> {
  const { kinds = [], id, load = get<Data>, isKept = false } = options
  const data = useSignal<Data | undefined>(undefined)
  const problem = useSignal<Error | undefined>(undefined)

  const { reload, ended } = useMemo(() => {
    const ended = new AbortController()
    const { signal } = ended
    if (!isKept) data.value = undefined
    problem.value = undefined
    const reload = coalesced(async () => {
      try {
        const loaded = await load(path, signal)
        if (signal.aborted) return
        data.value = loaded
        problem.value = undefined
      } catch (error) {
        if (!signal.aborted) problem.value = error as Error
      }
    })
    return { reload, ended }
  }, [path])

  // Before the browser draws, because an effect would run after that.
  useLayoutEffect(() => {
    reload()
    return () => ended.abort()
  }, [path])
  useChanges(kinds, (change) => {
    if (id === undefined || change.id === undefined || change.id === id) reload()
  })
  return { data, problem, reload }
}

export function useOverview(kinds: readonly string[]): Resource<Overview> {
  return useResource('/_sandbox/overview/', { kinds })
}
