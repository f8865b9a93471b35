import Type, { type Static } from 'typebox'
import { answer } from '../accounts/answer.js'
import { liveFilter, namedOperations, recordsOf, type Kind } from '../deliveries/kind.js'
import type { Service } from '../deliveries/service.js'
import { PROVIDERS } from '../faults/providers.js'
import { exactly, flag, ref, text, textOrNull } from '../http/schema.js'
import { chargesOf } from '../intents/routes-view.js'
import { agreementKey, AGREEMENTS, isCovered, type Agreement } from './agreements.js'
import {
  charged,
  established,
  firstChargeOf,
  historySchema,
  intentsOfAgreement,
  viewHistory,
} from './routes-history.js'
import { customerNameOf } from './routes-intents-list.js'

export const agreementSchema = exactly(
  {
    key: Type.String({ description: 'Its address: account, live or test, and agreement id' }),
    agreement_id: text,
    account: text,
    is_live: flag,
    customer: text,
    customer_name: textOrNull,
    card_token: textOrNull,
    brand: text,
    last_four: text,
    providers: Type.Array(text, { description: 'The providers that cover it' }),
  },
  { $id: 'Agreement' },
)

export const agreementDetailSchema = exactly(
  { ...agreementSchema.properties, history: historySchema },
  { $id: 'AgreementDetail' },
)

export function viewAgreement(service: Service, agreement: Agreement): Static<typeof agreementSchema> {
  const { id, agreementId, customerId, cardTokenId, card } = agreement
  return answer(agreementSchema, agreement, {
    key: id,
    agreement_id: agreementId,
    customer: customerId,
    customer_name: customerNameOf(service, customerId),
    card_token: cardTokenId ?? null,
    brand: card.brand,
    last_four: card.lastFour,
    providers: PROVIDERS.filter((provider) => isCovered(agreement, provider)).map((provider) => provider.id),
  })
}

/** Permissions to charge a card again. */
export const agreements: Kind<Agreement> = {
  ...namedOperations('Agreement', ref(agreementSchema), ref(agreementDetailSchema)),
  ...recordsOf(AGREEMENTS),
  find({ store }, key) {
    const found = store.get(AGREEMENTS, key)
    if (found !== undefined) return found
    // The path is decoded once. A caller may not have encoded the key for that.
    const [accountId = '', mode, ...id] = key.split('~')
    return store.get(AGREEMENTS, agreementKey({ accountId, isLive: mode === 'live' }, id.join('~')))
  },
  filters: { is_live: liveFilter },
  searched: 'its ids and fields',
  textsOf: ({ agreementId, customerId, cardTokenId, card }) => [
    agreementId,
    customerId,
    cardTokenId,
    `${card.brand} ${card.lastFour}`,
  ],
  viewer: (service) => (agreement) => viewAgreement(service, agreement),
  viewDetail(service, _url, agreement) {
    const first = firstChargeOf(service, agreement)
    const charges = intentsOfAgreement(service, agreement).flatMap(chargesOf)
    const history = viewHistory([
      ...charges.map(charged),
      ...(first === undefined ? [] : [established(first)]),
    ])
    return { ...viewAgreement(service, agreement), history }
  },
}
