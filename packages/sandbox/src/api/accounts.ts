import Type, { type Static } from 'typebox'
import { isoTimestamp } from '../events/timestamps.js'
import { forOrganization } from '../http/auth.js'
import { page, success } from '../http/envelope.js'
import { operation, pageQuery, type App } from '../http/operation.js'
import { exactly, text } from '../schema.js'
import type { Account } from '../store/records.js'
import { conflict } from '../model/refusal.js'
import { addAccount } from '../model/model.js'
import type { Service } from '../service.js'

const PATH = '/api/v1.4/accounts/'

/** Accounts and keys are never forgotten, so their number is limited instead. */
const MAX_ACCOUNTS = 1000

const accountFields = { id: text, name: text, created: text }

export const accountSchema = exactly(accountFields, { $id: 'Account' })

const newAccountSchema = exactly(
  {
    ...accountFields,
    api_key: Type.String({ description: 'Its first key. It is not shown again' }),
    public_api_key: text,
  },
  { $id: 'NewAccount' },
)

const accountBody = Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) })

/** The accounts of the organization. */
export function accounts(app: App, service: Service): void {
  const onRequest = forOrganization(service)

  app.post(
    PATH,
    {
      onRequest,
      schema: operation({
        id: 'createAccount',
        summary: 'Create an account, with its first key',
        isOwn: true,
        key: 'organization',
        body: accountBody,
        data: newAccountSchema,
        refusals: [409],
      }),
    },
    ({ body }) => success(createAccount(service, body.name)),
  )

  app.get(
    PATH,
    {
      onRequest,
      schema: operation({
        id: 'listAccounts',
        summary: 'The accounts of the organization',
        isOwn: true,
        key: 'organization',
        query: pageQuery,
        data: accountSchema,
        isList: true,
      }),
    },
    ({ query, origin }) => page(service.store.list('account'), viewAccount, origin + PATH, query),
  )
}

/** The same without a key, for the page. */
export function accountsOfThePage(app: App, service: Service): void {
  app.post(
    '/accounts/',
    {
      schema: operation({
        id: 'createAccountOnPage',
        summary: 'Create an account, with its first key',
        isOwn: true,
        body: accountBody,
        data: newAccountSchema,
        refusals: [409],
      }),
    },
    ({ body }) => success(createAccount(service, body.name)),
  )
}

/** @throws {Refusal} if there are too many */
function createAccount(service: Service, name: string): Static<typeof newAccountSchema> {
  if (service.store.list('account').length >= MAX_ACCOUNTS)
    throw conflict('name', `is one account too many: ${MAX_ACCOUNTS} exist`)
  const { account, key } = addAccount(service, name)
  return { ...viewAccount(account), api_key: key.value, public_api_key: key.publicValue }
}

export function viewAccount({ id, name, created }: Account): Static<typeof accountSchema> {
  return { id, name, created: isoTimestamp(created) }
}
