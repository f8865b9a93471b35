import { identify } from '../model/credentials.js'
import { operation, type App } from '../http/operation.js'
import { unknown } from '../model/refusal.js'
import { exactly } from '../schema.js'
import type { Service } from '../service.js'

const SENTENCE =
  'The sandbox has no payouts. The service documents that keys are used for them, but no path, request or answer.'

/** Payouts, which do not exist: the answer says so. */
export function payouts(app: App, service: Service): void {
  app.post(
    '/api/v1.4/payouts/',
    {
      // A payout may be made with any key, also a public one.
      onRequest(request, _reply, done) {
        identify(service, request.headers['x-api-key'] as string | undefined)
        done()
      },
      schema: operation({
        id: 'createPayout',
        summary: 'Payouts, which the sandbox does not have',
        isOwn: true,
        key: 'account',
        data: exactly({}),
        refusals: [404],
      }),
    },
    () => {
      throw unknown('path', 'There are no payouts', SENTENCE)
    },
  )
}
