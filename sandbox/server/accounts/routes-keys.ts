import Type, { type Static } from 'typebox'
import { isoTimestamp } from '../store/clock.js'
import { success } from '../http/envelope.js'
import { byId, Operations, type App } from '../http/operation.js'
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
import { masked } from './keys.js'
import {
  createAccountKey,
  createOrganizationKey,
  firstKeys,
  organizationOf,
  rotateSecret,
} from './organization.js'
import { conflict, invalid, unknown } from '../http/refusal.js'
import type { Model } from '../faults/model.js'
import { ACCOUNTS, KEYS, type Key, type Organization } from './records.js'

/** Keys are never removed, so their number is limited instead. */
const MAX_KEYS = 300

/** A key as it is shown when it is made, and, masked, after that. */
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

const maskedSecret = Type.String({ description: 'Masked' })

/** The organization as a page may show it. */
export const organizationSchema = exactly({ id: text, webhook_signature_secret: maskedSecret })

const keyBody = exactly({
  type: oneOf(['account', 'organization']),
  account: optionalText('Default: the first account'),
  is_live: optionalFlag('The mode of a key of an account. Default: false'),
})

type KeyBody = Static<typeof keyBody>

/** The operations of the page on keys, and on the signing secret. */
export function keys(app: App, model: Model): void {
  const operations = new Operations(app)

  operations.add(
    'POST /keys/',
    {
      id: 'createKey',
      summary: 'Create a key; that of an account comes with its public key. It is not shown again',
      body: keyBody,
      data: keySchema,
      refusals: [409],
    },
    ({ body }) => success(viewKey(createKey(model, body), (value) => value)),
  )

  operations.add(
    'POST /keys/:id/revoke/',
    { id: 'revokeKey', summary: 'Revoke a key', params: byId, data: keySchema },
    ({ params }) => success(revokeKeys(model, [params.id], 'id').map((key) => viewKey(key))[0]!),
  )

  operations.add(
    'POST /keys/revoke/',
    {
      id: 'revokeKeys',
      summary: 'Revoke several keys; if one of them does not exist, none is revoked',
      body: exactly({ ids: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_KEYS }) }),
      data: Type.Array(ref(keySchema)),
      refusals: [404],
    },
    ({ body }) => success(revokeKeys(model, body.ids, 'ids').map((key) => viewKey(key))),
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
        keys: model.store.list(KEYS).map((key) => viewKey(key, (value) => value)),
      }),
  )

  operations.add(
    'POST /secret/rotate/',
    {
      id: 'rotateSecret',
      summary: 'Replace the signing secret; the signature-key endpoint returns the new one',
      data: exactly({ webhook_signature_secret: maskedSecret }),
    },
    () => {
      rotateSecret(model)
      return success({ webhook_signature_secret: masked(organizationOf(model).secret) })
    },
  )
}

/** @throws {Refusal} on an account that does not exist, or if there are too many keys */
function createKey(model: Model, { type, account, is_live: isLive }: KeyBody): Key {
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

/** @throws {Refusal} if one of them does not exist */
function revokeKeys({ store }: Model, ids: readonly string[], field: string): readonly Key[] {
  const found = ids.map((id) => {
    const key = store.get(KEYS, id)
    if (key === undefined)
      throw unknown(field, 'Key not found', 'There is no key with this id; none was revoked.')
    return key
  })
  for (const { id } of found) store.update(KEYS, id, { isRevoked: true })
  return found
}

export function viewKey(key: Key, show: (value: string) => string = masked): Static<typeof keySchema> {
  return {
    id: key.id,
    type: key.type,
    account: key.accountId ?? null,
    is_live: key.isLive ?? null,
    api_key: show(key.value),
    public_api_key: key.publicValue === undefined ? null : show(key.publicValue),
    is_revoked: key.isRevoked,
    created: isoTimestamp(key.created),
  }
}

export function viewOrganization({ id, secret }: Organization): Static<typeof organizationSchema> {
  return { id, webhook_signature_secret: masked(secret) }
}
