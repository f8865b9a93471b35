import type { FastifyInstance } from 'fastify'
import { success } from '../http/envelope.js'
import type { Infer } from '../http/infer.js'
import { operation } from '../http/operation.js'
import type { Service } from '../service.js'
import { payBody } from './brought.js'
import { entryBody, readEntry } from './entry.js'
import { FOR_BROWSERS, forPublicKey } from './public-key.js'
import { readCard, readCvv } from './vault.js'

const { card, cvv } = payBody.properties
const text = { type: 'string' }

const collectBody = {
  type: 'object',
  properties: { card, cvv, ...entryBody.properties },
  required: ['card'],
  additionalProperties: false,
} as const

const collectedSchema = {
  type: 'object',
  properties: { id: text, brand: text, last_four: text },
  required: ['id', 'brand', 'last_four'],
  additionalProperties: false,
}

/**
 * Takes a card from the card form of the SDK, and gives back what the page of the merchant may know of it (S4.5). That
 * form is a page of the vault; no other origin may send a card number here.
 */
export function collect(app: FastifyInstance, service: Service): void {
  app.post<{ Body: Infer<typeof collectBody> }>(
    '/cards/',
    {
      onRequest: forPublicKey(service),
      schema: {
        ...operation({
          summary: 'Collect a card from the card form of the SDK',
          isOwn: true,
          key: 'account',
          body: collectBody,
          data: collectedSchema,
        }),
        description: FOR_BROWSERS,
      },
    },
    ({ body, publicScope: scope }) => {
      const { state } = service.stage
      readEntry(body, state.now())
      const card = readCard(body.card, 'card')
      const id = state.random.id('cdt')
      state.vault.collected.add(id, { scope, card, hasCvv: readCvv(body.cvv, 'cvv') })
      return success({ id, brand: card.brand, last_four: card.lastFour })
    },
  )
}
