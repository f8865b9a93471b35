import type { FastifyReply } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Model } from '../faults/faults.js'
import { page, success } from '../http/envelope.js'
import { byId, Operations, pageQuery, type App } from '../http/operation.js'
import { conflict, invalid, unknown } from '../http/refusal.js'
import {
  exactly,
  flag,
  oneOf,
  optionalFlag,
  optionalText,
  orNull,
  ref,
  text,
  textOrNull,
} from '../http/schema.js'
import type { Clock } from '../store/clock.js'
import { withKey } from './access.js'
import { answer } from './answer.js'
import {
  addAccount,
  createAccountKey,
  createOrganizationKey,
  firstKeys,
  masked,
  organizationOf,
  rotateSecret,
} from './organization.js'
import { ACCOUNTS, KEYS, type Account, type Key, type Organization } from './records.js'

// Accounts and keys are never removed, so their number is limited instead.
const MAX_ACCOUNTS = 100
const MAX_KEYS = 300

const DEFAULT_DELAY_MS = 10_000

export const accountSchema = exactly({ id: text, name: text, created: text }, { $id: 'Account' })

export function viewAccount(account: Account): Static<typeof accountSchema> {
  return answer(accountSchema, account)
}

const newAccountSchema = exactly(
  {
    ...accountSchema.properties,
    api_key: Type.String({ description: 'Its first key. It is not shown again' }),
    public_api_key: text,
  },
  { $id: 'NewAccount' },
)

export const keySchema = exactly(
  {
    id: text,
    type: oneOf(['account', 'organization']),
    account: textOrNull,
    is_live: orNull(flag, { description: 'The mode of a key of an account' }),
    api_key: text,
    public_api_key: textOrNull,
    is_revoked: flag,
    created: text,
  },
  { $id: 'Key' },
)

/** A key, masked unless `show` says otherwise. */
export function viewKey(key: Key, show: (value: string) => string = masked): Static<typeof keySchema> {
  return answer(keySchema, key, {
    account: key.accountId ?? null,
    api_key: show(key.value),
    public_api_key: key.publicValue === undefined ? null : show(key.publicValue),
  })
}

function viewInFull(key: Key): Static<typeof keySchema> {
  return viewKey(key, (value) => value)
}

/** The organization as a page may show it. */
export const organizationSchema = exactly({
  id: text,
  webhook_signature_secret: Type.String({ description: 'Masked' }),
})

export function viewOrganization({ id, secret }: Organization): Static<typeof organizationSchema> {
  return { id, webhook_signature_secret: masked(secret) }
}

const keyBody = exactly({
  type: oneOf(['account', 'organization']),
  account: optionalText('Default: the first account'),
  is_live: optionalFlag('The mode of a key of an account. Default: false'),
})

/** The accounts of the organization. */
export function accounts(app: App, model: Model): void {
  const operations = new Operations(app, withKey('organization', model))

  operations.add(
    'POST /api/v1.4/accounts/',
    {
      id: 'createAccount',
      summary: 'Create an account, with its first key',
      body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) }),
      data: newAccountSchema,
    },
    ({ body: { name } }) => {
      if (model.store.list(ACCOUNTS).length >= MAX_ACCOUNTS) {
        throw conflict('name', `is one account too many: ${MAX_ACCOUNTS} exist`)
      }
      const { account, key } = addAccount(model, name)
      return success({ ...viewAccount(account), api_key: key.value, public_api_key: key.publicValue })
    },
  )

  operations.add(
    'GET /api/v1.4/accounts/',
    {
      id: 'listAccounts',
      summary: 'The accounts of the organization',
      query: pageQuery,
      items: accountSchema,
    },
    (request) => page(request, model.store.list(ACCOUNTS), viewAccount),
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
      if (fault?.mode === 'slow') await pause(model.clock, fault.delayMs ?? DEFAULT_DELAY_MS, reply)
      if (fault?.mode === 'error') throw new Error('The fault was asked for')
      if (fault?.mode === 'wrong-shape') return success({ secret: null })
      return success({ webhook_signature_secret: organizationOf(model).secret })
    },
  )
}

/** The operations of the page on keys and the signing secret. */
export function keys(app: App, model: Model): void {
  const operations = new Operations(app)

  operations.add(
    'POST /keys/',
    {
      id: 'createKey',
      summary: 'Create a key; that of an account comes with its public key. It is not shown again',
      body: keyBody,
      data: keySchema,
    },
    ({ body }) => success(viewInFull(createKey(model, body))),
  )

  operations.add(
    'POST /keys/:id/revoke/',
    { id: 'revokeKey', summary: 'Revoke a key', params: byId, data: keySchema },
    ({ params: { id } }) => {
      const key = model.store.get(KEYS, id)
      if (key === undefined) throw unknown('id', 'Key not found')
      model.store.update(KEYS, id, { isRevoked: true })
      return success(viewKey(key))
    },
  )

  // A POST, because a page of another origin cannot send one here. The keys open nothing but this sandbox.
  operations.add(
    'POST /keys/reveal/',
    {
      id: 'revealKeys',
      summary: 'The keys and the signing secret, in full',
      data: exactly({ webhook_signature_secret: text, keys: Type.Array(ref(keySchema)) }),
    },
    () =>
      success({
        webhook_signature_secret: organizationOf(model).secret,
        keys: model.store.list(KEYS).map(viewInFull),
      }),
  )

  operations.add(
    'POST /secret/rotate/',
    {
      id: 'rotateSecret',
      summary: 'Replace the signing secret; the signature-key endpoint returns the new one',
      data: organizationSchema,
    },
    () => {
      rotateSecret(model)
      return success(viewOrganization(organizationOf(model)))
    },
  )
}

/** @throws {Refusal} on an account that does not exist, or if there are too many keys */
function createKey(model: Model, { type, account, is_live: isLive }: Static<typeof keyBody>): Key {
  const { store } = model
  if (type === 'organization') {
    if (account !== undefined) throw invalid('account', 'is not for a key of the organization')
    if (isLive !== undefined) throw invalid('is_live', 'is not for a key of the organization')
  }
  const accountId = account ?? firstKeys(model).accountKey.accountId
  if (store.get(ACCOUNTS, accountId) === undefined) throw invalid('account', 'Account not found')
  if (store.list(KEYS).length >= MAX_KEYS) throw conflict('type', `is one key too many: ${MAX_KEYS} exist`)
  return type === 'account'
    ? createAccountKey(model, { accountId, isLive: isLive ?? false })
    : createOrganizationKey(model)
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
