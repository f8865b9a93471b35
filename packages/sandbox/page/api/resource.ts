import { useSignal, type ReadonlySignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { useChanges } from './changes.js'
import { ApiError, get, messageOf } from './client.js'
import { coalesced } from './coalesced.js'

/** An answer of the control API that follows the changes of the service. */
export interface Resource<Data> {
  /** Undefined until the first answer. */
  readonly data: ReadonlySignal<Data | undefined>
  readonly problem: ReadonlySignal<ApiError | undefined>
  readonly reload: () => void
}

/**
 * Gets a path, and gets it again at each change of these kinds; with `id`, only at changes of that one.
 *
 * @example const intent = useResource<Intent>(`/_sandbox/intents/${id}/`, { kinds: ['intent', 'delivery'] })
 */
export function useResource<Data>(
  path: string,
  { kinds = [], id }: { readonly kinds?: readonly string[]; readonly id?: string } = {},
): Resource<Data> {
  const data = useSignal<Data | undefined>(undefined)
  const problem = useSignal<ApiError | undefined>(undefined)

  const { reload, abort } = useMemo(() => {
    const aborted = new AbortController()
    data.value = undefined
    problem.value = undefined
    async function load(): Promise<void> {
      try {
        const loaded = await get<Data>(path, aborted.signal)
        if (aborted.signal.aborted) return
        data.value = loaded
        problem.value = undefined
      } catch (error) {
        if (!aborted.signal.aborted) problem.value = asApiError(error)
      }
    }
    return {
      reload: coalesced(load, 100),
      abort: () => {
        aborted.abort()
      },
    }
  }, [path])

  useEffect(() => {
    reload()
    return abort
  }, [path])
  useChanges(kinds, (change) => {
    if (id === undefined || change.id === undefined || change.id === id) reload()
  })
  return { data, problem, reload }
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(messageOf(error))
}
