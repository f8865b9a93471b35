import type { App } from '../http/operation.js'
import type { Service } from '../service.js'
import { deliveryKind } from './deliveries.js'
import { agreements } from './kinds/agreements.js'
import { cardTokenIntents, cardTokens } from './kinds/cards.js'
import { customers } from './kinds/customers.js'
import { intents } from './kinds/intents.js'
import { addKind } from './kinds/kind.js'
import { requests } from './kinds/requests.js'
import { transactions } from './kinds/transactions.js'

/** Lists of everything that there is, of all accounts and both modes, and a page for each item. */
export function kinds(app: App, service: Service): void {
  addKind(app, service, deliveryKind)
  addKind(app, service, intents)
  addKind(app, service, transactions)
  addKind(app, service, customers)
  addKind(app, service, cardTokens)
  addKind(app, service, cardTokenIntents)
  addKind(app, service, agreements)
  addKind(app, service, requests)
}
