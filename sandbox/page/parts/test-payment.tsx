import { useSignal } from '@preact/signals'
import { useResource } from '../api/resource.js'
import type { Settings } from '../api/types.js'
import { recall, remember } from '../remembered.js'

const KEPT = 'webhook_url'

/** The address that was used last. */
export function lastWebhookUrl(): string | undefined {
  return recall(KEPT)
}

export function rememberWebhookUrl(url: string): void {
  remember(KEPT, url)
}

/** The address that is typed, or else the one that was used last, or else the default endpoint of the sandbox. */
export function useWebhookUrl() {
  const { data: settings } = useResource<Settings>('/_sandbox/settings/', { kinds: ['settings'] })
  const typed = useSignal(lastWebhookUrl())
  return {
    url: typed.value ?? settings.value?.default_endpoint ?? '',
    setUrl: (url: string): void => {
      typed.value = url
    },
  }
}
