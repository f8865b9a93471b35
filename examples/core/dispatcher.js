import { createDispatcher } from '@service-signature/core'

export const dispatcher = createDispatcher()
  .on('transaction.purchase.successful', async ({ payload, signedAt }) => {
    const { id, amount } = payload.intent
    console.log(`${id}: ${amount.value} ${amount.currency} paid, signed at ${signedAt.toISOString()}`)
  })
  .on('intent.*', async ({ payload }) => {
    console.log(`${payload.data.intent_id}: ${payload.data.intent.status}`)
  })
  .otherwise(({ event }) => {
    if (event.type === 'unrecognized') console.warn('not handled:', event.receivedType, event.issues)
    else console.warn('not handled:', event.type)
  })
