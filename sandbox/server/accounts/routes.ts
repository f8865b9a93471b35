import type { FastifyReply } from 'fastify'
import Type, { type Static } from 'typebox'
import { type Clock, isoTimestamp } from '../store/clock.js'
import { withKey } from './access.js'
import { page, success } from '../http/envelope.js'
import { Operations, pageQuery, type App } from '../http/operation.js'
import { addAccount, organizationOf } from './organization.js'
import { conflict } from '../http/refusal.js'
import { exactly, text } from '../http/schema.js'
import type { Model } from '../faults/model.js'
import { ACCOUNTS, type Account } from './records.js'

const PATH = '/api/v1.4/accounts/'

/** Accounts and keys are never removed, so their number is limited instead. */
const MAX_ACCOUNTS = 100

const DEFAULT_DELAY_MS = 10_000

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

const creation = {
  summary: 'Create an account, with its first key',
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) }),
  data: newAccountSchema,
  refusals: [409],
}

/** The accounts of the organization. */
export function accounts(app: App, model: Model): void {
  const operations = new Operations(app, withKey('organization', model))

  operations.add(`POST ${PATH}`, { id: 'createAccount', ...creation }, ({ body }) =>
    success(createAccount(model, body.name)),
  )

  operations.add(
    `GET ${PATH}`,
    {
      id: 'listAccounts',
      summary: 'The accounts of the organization',
      query: pageQuery,
      items: accountSchema,
    },
    (request) => page(request, model.store.list(ACCOUNTS), viewAccount),
  )
}

/** The same without a key, for the page. */
export function accountsOfThePage(app: App, model: Model): void {
  new Operations(app).add('POST /accounts/', { id: 'createAccountOnPage', ...creation }, ({ body }) =>
    success(createAccount(model, body.name)),
  )
}

/** The signing secret of the organization, or the answer of the fault that is set. */
export function signatureKey(app: App, model: Model): void {
  new Operations(app, withKey('account', model)).add(
    'GET /api/v1/organizations/get-webhook-signature-key/',
    {
      id: 'getWebhookSignatureKey',
      summary: 'The webhook signing secret',
      hasKnownPath: true,
      data: exactly({ webhook_signature_secret: text }),
    },
    async (_request, reply) => {
      const fault = model.faults.secretEndpoint()
      if (fault?.mode === 'slow') {
        await pause(model.clock, fault.delayMs ?? DEFAULT_DELAY_MS, reply)
      }
      if (fault?.mode === 'error') throw new Error('The fault was asked for')
      if (fault?.mode === 'wrong-shape') return success({ secret: null })
      return success({ webhook_signature_secret: organizationOf(model).secret })
    },
  )
}

/** @throws {Refusal} if there are too many */
function createAccount(model: Model, name: string): Static<typeof newAccountSchema> {
  if (model.store.list(ACCOUNTS).length >= MAX_ACCOUNTS) {
    throw conflict('name', `is one account too many: ${MAX_ACCOUNTS} exist`)
  }
  const { account, key } = addAccount(model, name)
  return { ...viewAccount(account), api_key: key.value, public_api_key: key.publicValue }
}

export function viewAccount({ id, name, created }: Account): Static<typeof accountSchema> {
  return { id, name, created: isoTimestamp(created) }
}

/** Also ends when the caller has gone. */
function pause(clock: Clock, milliseconds: number, { raw }: FastifyReply): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.after(milliseconds, resolve)
    raw.once('close', () => {
      stop()
      resolve()
    })
  })
}
