import type { PlaygroundCase, SignaturePlayground } from '@service-signature/playground'
import { useEffect, useRef } from 'preact/hooks'
import { post } from '../api/client.js'
import type { Attempt, Delivery } from '../api/types.js'
import { toastError } from '../parts/toasts.js'

interface Revealed {
  readonly webhook_signature_secret: string
  readonly keys: readonly {
    readonly type: string
    readonly account: string | null
    readonly is_live: boolean | null
    readonly is_revoked: boolean
    readonly api_key: string
  }[]
}

interface StepsViewProps {
  readonly delivery: Delivery
  readonly attempt: Attempt
}

/** How each digest is made, and what a change of the body, the header or the secret does. */
export function StepsView({ delivery, attempt }: StepsViewProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let isShown = true
    const load = async () => {
      // It is larger than the rest of the page, so it is loaded only here.
      const [{ SignaturePlayground }, revealed] = await Promise.all([
        import('@service-signature/playground'),
        post<Revealed>('/_sandbox/keys/reveal/'),
      ])
      if (!isShown) return
      const element: SignaturePlayground = new SignaturePlayground()
      element.toggleAttribute('embedded', true)
      place.current!.replaceChildren(element)
      await element.setCase(caseOf(delivery, attempt, revealed))
    }
    load().catch(toastError)
    return () => {
      isShown = false
    }
  }, [delivery.id, attempt.number])
  return <div class="steps" ref={place} />
}

function caseOf(delivery: Delivery, attempt: Attempt, revealed: Revealed): PlaygroundCase {
  const header = attempt.headers['Service-Signature'] ?? null
  const keys = revealed.keys.filter(
    ({ type, account, is_live, is_revoked }) =>
      type === 'account' && account === delivery.account && is_live === delivery.is_live && !is_revoked,
  )
  return {
    header,
    body: attempt.body,
    secret: revealed.webhook_signature_secret,
    apiKey: keys.map((key) => key.api_key),
    versions: ['v1', 'v2', 'v3'],
    receivedAt: Date.parse(attempt.at),
  }
}
