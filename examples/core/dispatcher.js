import { createDispatcher } from '@service-signature/core'

export const dispatcher = createDispatcher()
  .on('intent.processed', async ({ payload, signedAt }) => {
    const { id, status, amount, amount_currency: currency } = payload.data.intent
    console.log(`${id}: ${status}, ${amount} ${currency}, signed at ${signedAt.toISOString()}`)
  })
  .on('transaction.*', async ({ payload }) => {
    console.log(`${payload.intent.id}: ${payload.transaction.status}`)
  })
  .otherwise(({ event }) => {
    if (event.type === 'unrecognized') console.warn('not handled:', event.receivedType, event.issues)
    else console.warn('not handled:', event.type)
  })
