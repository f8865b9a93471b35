import { addKind } from '../deliveries/kind.js'
import type { Service } from '../deliveries/service.js'
import type { App } from '../http/operation.js'
import { agreements } from './routes-agreements-list.js'
import { cardTokenIntents, cardTokens } from './routes-cards-list.js'
import { customers } from './routes-customers-list.js'
import { intents } from './routes-intents-list.js'
import { transactions } from './routes-transactions-list.js'

/** Lists of everything that payments made, of all accounts and both modes, and a page for each item. */
export function lists(app: App, service: Service): void {
  addKind(app, service, intents)
  addKind(app, service, transactions)
  addKind(app, service, customers)
  addKind(app, service, cardTokens)
  addKind(app, service, cardTokenIntents)
  addKind(app, service, agreements)
}
