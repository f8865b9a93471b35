import { useSignal } from '@preact/signals'
import { keyOf, makeIntent, payIntent } from '../api/payment.js'
import { useResource } from '../api/resource.js'
import type { Settings } from '../api/types.js'
import { Button } from './button.js'
import { UrlField } from './fields.js'
import { Form } from './form.js'
import { ItemLink } from './links.js'
import { toast } from './toasts.js'

const KEPT = 'webhook_url'

/** The address that was used last. Some browsers keep nothing, and throw. */
export function lastWebhookUrl(): string | undefined {
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
  const { data: settings } = useResource<Settings>('/_sandbox/settings/', { kinds: ['settings'] })
  const typed = useSignal(lastWebhookUrl())
  return {
    url: typed.value ?? settings.value?.default_endpoint ?? '',
    setUrl: (url: string): void => {
      typed.value = url
    },
  }
}

/** An address and a button: the shortest way to a first delivery. */
export function QuickPayment() {
  const { url, setUrl } = useWebhookUrl()

  async function pay(): Promise<void> {
    const fields = { amount: 10.5, amount_currency: 'EUR', webhook_url: url === '' ? undefined : url }
    const { id } = await makeIntent(fields, await keyOf({ isLive: false }))
    rememberWebhookUrl(url)
    await payIntent(id, '4242424242424242')
    toast(
      <>
        Paid 10.50 EUR: <ItemLink section="intents" id={id} />
      </>,
      'good',
    )
  }

  return (
    <Form class="quick-payment">
      <UrlField label="Webhook URL" isLabelHidden name="webhook_url" value={url} onChange={setUrl} />
      <Button kind="primary" isSubmit onPress={pay}>
        Pay a test payment
      </Button>
    </Form>
  )
}
