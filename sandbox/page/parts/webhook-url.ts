import { useSignal } from '@preact/signals'
import { useOverview } from '../api/resource.js'

const KEPT = 'webhook_url'

/** The address that was used last. Some browsers keep nothing, and throw. */
function lastWebhookUrl(): string | undefined {
  try {
    return localStorage.getItem(KEPT) ?? undefined
  } catch {
    return undefined
  }
}

export function rememberWebhookUrl(url: string): void {
  try {
    localStorage.setItem(KEPT, url)
  } catch {
    // It is asked for again the next time.
  }
}

/** The address that is typed, or else the one that was used last, or else the default endpoint of the sandbox. */
export function useWebhookUrl() {
  const { data: settings } = useOverview(['settings'])
  const typed = useSignal(lastWebhookUrl())
  return {
    url: typed.value ?? settings.value?.default_endpoint ?? '',
    setUrl: (url: string): void => {
      typed.value = url
    },
  }
}
