import type { Setup } from '@service-signature/contract'
import { serviceSignature, type RequestHandler } from '@service-signature/fetch'

/** The endpoint of the contract: a handled delivery is answered with the text `handled`. */
export function endpointOf({ options, handler, status }: Setup): RequestHandler {
  const { dispatcher, ...others } = options
  if (dispatcher !== undefined) return serviceSignature({ ...others, dispatcher })
  return serviceSignature(others, async (webhook) => {
    await handler(webhook)
    const init = { status: status?.() ?? 200 }
    return new Response([204, 304].includes(init.status) ? null : 'handled', init)
  })
}
