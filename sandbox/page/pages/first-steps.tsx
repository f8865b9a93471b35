import { keyOf, makeIntent, payIntent } from '../api/payment.js'
import { Button } from '../parts/button.js'
import { UrlField } from '../parts/fields.js'
import { Form } from '../parts/form.js'
import { Icon } from '../parts/icons.js'
import { itemPath, PaymentLink } from '../parts/links.js'
import { SecretLine } from '../parts/secret-line.js'
import { rememberWebhookUrl, useWebhookUrl } from '../parts/webhook-url.js'
import { toast } from '../parts/toasts.js'
import './first-steps.css'

/** The shortest way to a first delivery: the secret, the address, and a payment. */
export function FirstSteps() {
  const { url, setUrl } = useWebhookUrl()

  async function pay(): Promise<void> {
    const fields = { amount: 10.5, amount_currency: 'EUR', webhook_url: url }
    const { id } = await makeIntent(fields, await keyOf({ isLive: false }))
    await payIntent(id, '4242424242424242')
    rememberWebhookUrl(url)
    toast(<a href={itemPath('intents', id)}>Paid 10.50 EUR.</a>, 'good')
  }

  return (
    <Form class="first-steps">
      <ol>
        <li>
          <SecretLine />
        </li>
        <li>
          <UrlField label="Webhook URL" name="webhook_url" value={url} onChange={setUrl} />
        </li>
        <li>
          <Button kind="primary" isSubmit isDisabled={url === ''} onPress={pay}>
            Pay a test payment
          </Button>
        </li>
      </ol>
    </Form>
  )
}

/** What sends events: for the heads of pages. */
export function SendLinks() {
  return (
    <>
      <a class="button" href="/compose/">
        <Icon name="edit" />
        Compose
      </a>
      <PaymentLink />
    </>
  )
}
