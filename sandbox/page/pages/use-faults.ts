import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useChanges } from '../api/changes.js'
import { get, put } from '../api/client.js'
import type { Faults, Overview } from '../api/types.js'
import { toastError } from '../parts/toasts.js'

/** Faults, of which those that are undefined are not set. */
export type FaultValues = { readonly [Name in keyof Faults]?: Faults[Name] | undefined }

/** The faults that are set, undefined until they are loaded, and what sets others: all at once, as the service takes them. */
export function useFaults(): readonly [FaultValues | undefined, (faults: FaultValues) => void] {
  const shown = useSignal<FaultValues | undefined>(undefined)
  const last = useRef<Promise<unknown>>(Promise.resolve())

  async function load(): Promise<void> {
    const answered = last.current
    await answered
    // Without an answer, the page shows that it is not connected, and loads again once it is.
    const overview = await get<Overview>('/_sandbox/overview/').catch(() => undefined)
    // An answer from before a change must not replace it.
    if (overview !== undefined && answered === last.current) shown.value = overview.faults
  }
  useEffect(() => void load(), [])
  useChanges(['faults'], () => void load())

  function set(faults: FaultValues): void {
    shown.value = faults
    last.current = last.current.then(() => put('/_sandbox/faults/', faults)).catch(toastError)
    // After a refusal, the page shows again which faults are set.
    void load()
  }
  return [shown.value, set]
}
