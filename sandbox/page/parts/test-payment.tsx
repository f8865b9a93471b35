import { useSignal } from '@preact/signals'
import { useResource } from '../api/resource.js'
import { answeredDeliveries, payTestPayment } from '../api/payment.js'
import type { DeliverySummary, Settings, Verdict } from '../api/types.js'
import { countText } from '../format.js'
import { recall, remember } from '../remembered.js'
import type { Tone } from './badge.js'
import { Button } from './button.js'
import { UrlField } from './fields.js'
import { Form } from './form.js'
import { toast } from './toasts.js'

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

/** What the endpoint did, in a sentence. The worst comes first. */
function outcomeOf(deliveries: readonly DeliverySummary[]): readonly [Tone, string] {
  if (deliveries.length === 0) return ['plain', 'Without an address, no event is sent.']
  const count = (verdict: Verdict) => deliveries.filter(({ last }) => last?.verdict === verdict).length
  if (count('accepted-forgery') > 0) return ['bad', 'Your endpoint accepted a forgery.']
  const [refused, unanswered] = [count('refused'), count('no-answer')]
  if (refused > 0) return ['bad', `Your endpoint refused ${countText(refused, 'delivery', 'deliveries')}.`]
  if (unanswered > 0) return ['bad', 'Your endpoint did not answer.']
  const accepted = count('accepted')
  if (accepted < deliveries.length) return ['wait', 'Your endpoint has not answered yet.']
  return ['good', `Your endpoint accepted ${countText(accepted, 'delivery', 'deliveries')}.`]
}

/** An address and a button: the shortest way to a first delivery. */
export function QuickPayment() {
  const { url, setUrl } = useWebhookUrl()

  async function pay(): Promise<void> {
    const payment = { amount: 10.5, currency: 'EUR', card: '4242424242424242' }
    const intent = await payTestPayment({ ...payment, ...(url !== '' && { webhookUrl: url }) })
    rememberWebhookUrl(url)
    const [tone, outcome] = outcomeOf(await answeredDeliveries(intent.id))
    toast(
      <>
        Paid 10.50 EUR: <a href={`/intents/${intent.id}/`}>{intent.id}</a>. {outcome}
      </>,
      tone,
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
