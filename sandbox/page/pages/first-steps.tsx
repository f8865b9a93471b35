import { post } from '../api/client.js'
import { keyOf, makeIntent, payIntent } from '../api/payment.js'
import { useResource } from '../api/resource.js'
import type { Revealed } from '../api/types.js'
import { Button, CopiedCode } from '../parts/button.js'
import { UrlField, useWebhookUrl } from '../parts/fields.js'
import { Form } from '../parts/form.js'
import { itemPath } from '../parts/links.js'
import { toast } from '../parts/toasts.js'
import endpoint from '../../../examples/express/quick-start.js?raw'
import './first-steps.css'

const START = `npm install express @service-signature/express @service-signature/core
node --env-file=.env server.mjs`

/** The shortest way to a first delivery: the secret, the address, and a payment; with an endpoint that can be copied. */
export function FirstSteps() {
  const { url, setUrl } = useWebhookUrl()

  async function pay(): Promise<void> {
    const fields = { amount: 10.5, amount_currency: 'EUR', webhook_url: url }
    const { id } = await makeIntent(fields, await keyOf({ isLive: false }))
    await payIntent(id, '4242424242424242')
    toast(<a href={itemPath('intents', id)}>Paid 10.50 EUR.</a>, 'good')
  }

  return (
    <Form class="first-steps">
      <ol>
        <li>
          <h2>Give your endpoint the secret</h2>
          <SecretLine />
        </li>
        <li>
          <h2>Enter its address</h2>
          <UrlField label="Webhook URL" name="webhook_url" value={url} onChange={setUrl} />
        </li>
        <li>
          <h2>Send the first events</h2>
          <Button kind="primary" icon="coin" isSubmit isDisabled={url === ''} onPress={pay}>
            Pay a test payment
          </Button>
        </li>
      </ol>
      <section aria-labelledby="endpoint-code">
        <h2 id="endpoint-code">No endpoint yet?</h2>
        <p class="hint">This one verifies each delivery. Save it as server.mjs, next to .env:</p>
        <CopiedCode text={endpoint.trim()} label="Copy the endpoint" />
        <p class="hint">Install and start it:</p>
        <CopiedCode text={START} label="Copy the commands" />
      </section>
    </Form>
  )
}

/** The line with the signing secret for the `.env` of the endpoint. */
export function SecretLine() {
  const options = { kinds: ['organization'], load: (path: string) => post<Revealed>(path) }
  const secret = useResource('/_sandbox/keys/reveal/', options).data.value?.webhook_signature_secret ?? ''
  return (
    <div>
      <p class="hint">The secret of your endpoint, for its .env:</p>
      <CopiedCode text={`WEBHOOK_SECRET=${secret}`} label="Copy the secret" />
    </div>
  )
}
