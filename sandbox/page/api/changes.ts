import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { get } from './client.js'

/** What has changed in the service: a delivery, an intent, the faults. After a "reset", everything may have changed. */
export interface Change {
  readonly kind: string
  readonly id?: string
}

/** Whether changes arrive now, as the page says it. */
export const connection = signal<'Connecting' | 'Connected' | 'Offline'>('Connecting')

const RETRY_MS = 1000

const listeners = new Set<(change: Change) => void>()
let source: EventSource | undefined

/**
 * Listens to the service for as long as the page is seen. A browser has few connections to one host, so that a tab in the
 * background must not keep one.
 */
export function connect(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) close()
    else open()
  })
  if (!document.hidden) open()
}

function open(): void {
  if (source !== undefined) return
  const opened = new EventSource('/_sandbox/stream')
  source = opened
  opened.addEventListener('open', () => {
    const isFirst = connection.value === 'Connecting'
    connection.value = 'Connected'
    // Changes were missed while the page was not connected.
    if (!isFirst) announce({ kind: 'reset' })
  })
  opened.addEventListener('message', ({ data }: MessageEvent<string>) => announce(JSON.parse(data) as Change))
  opened.addEventListener('error', () => {
    connection.value = 'Offline'
    // The browser tries again by itself, but not after an error status. A call finds out which one.
    if (opened.readyState !== EventSource.CLOSED) return
    close()
    void get('/_sandbox/overview/').catch(() => undefined)
    setTimeout(open, RETRY_MS)
  })
}

function close(): void {
  source?.close()
  source = undefined
  connection.value = 'Offline'
}

function announce(change: Change): void {
  for (const listener of listeners) listener(change)
}

/** Calls the listener at each change of these kinds, and whenever everything may have changed, while a component is shown. */
export function useChanges(kinds: readonly string[], listener: (change: Change) => void): void {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    const listen = (change: Change) => {
      if (change.kind === 'reset' || kinds.includes(change.kind)) latest.current(change)
    }
    listeners.add(listen)
    return () => listeners.delete(listen)
  }, [kinds.join()])
}

/**
 * Runs one at a time and not more often than every `spacingMs`. Calls that come in between are answered by one more run, so
 * that a flood of changes does not become a flood of requests.
 */
export function coalesced(run: () => Promise<void>, spacingMs = 100): () => void {
  let isBusy = false
  let isWanted = false

  async function start(): Promise<void> {
    isBusy = true
    isWanted = false
    try {
      await run()
    } finally {
      setTimeout(() => {
        isBusy = false
        if (isWanted) void start()
      }, spacingMs)
    }
  }

  return () => {
    isWanted = true
    if (!isBusy) void start()
  }
}
