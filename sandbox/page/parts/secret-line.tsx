import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { post } from '../api/client.js'
import { useChanges } from '../api/changes.js'
import type { Revealed } from '../api/types.js'
import { CopiedCode } from './button.js'
import { toastError } from './toasts.js'

/** The line with the signing secret for the `.env` of the endpoint. */
export function SecretLine() {
  const line = useSignal('WEBHOOK_SECRET=')
  const load = () => {
    post<Revealed>('/_sandbox/keys/reveal/')
      .then(({ webhook_signature_secret: secret }) => {
        line.value = `WEBHOOK_SECRET=${secret}`
      })
      .catch(toastError)
  }
  useEffect(load, [])
  useChanges(['organization'], load)
  return (
    <div>
      <p class="hint">The secret of your endpoint, for its .env:</p>
      <CopiedCode text={line.value} label="Copy the secret" />
    </div>
  )
}
