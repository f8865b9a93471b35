import type { App } from '../http/operation.js'
import type { Service } from '../service.js'
import { agreements } from './kinds/agreements.js'
import { audits } from './kinds/audits.js'
import { cardTokenIntents } from './kinds/card-intents.js'
import { cardTokens } from './kinds/cards.js'
import { customers } from './kinds/customers.js'
import { deliveries } from './kinds/deliveries.js'
import { intents } from './kinds/intents.js'
import { addKind } from './kinds/kind.js'
import { requests } from './kinds/requests.js'
import { transactions } from './kinds/transactions.js'

/** Lists of everything that there is, of all accounts and both modes, and a page for each item. */
export function kinds(app: App, service: Service): void {
  addKind(app, service, deliveries)
  addKind(app, service, intents)
  addKind(app, service, transactions)
  addKind(app, service, customers)
  addKind(app, service, cardTokens)
  addKind(app, service, cardTokenIntents)
  addKind(app, service, agreements)
  addKind(app, service, requests)
  addKind(app, service, audits)
}
