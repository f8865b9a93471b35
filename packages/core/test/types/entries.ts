// Compiled with the workspace (npm run types), never run: what the types allow, and what they do not.
import * as node from '@service-signature/core'
import { sign } from '@service-signature/core/testing'
import type { InferOutput } from 'valibot'
import * as web from '../../src/entries/index.web.js'
import type { intentSchema, transactionSchema } from '../support/schemas.js'
import { type Equal, type HasAny, is, type IsAny } from './assert.js'

declare const body: Uint8Array
const secret = 'test_signature_key'

const verifier = node.createVerifier({ secret })
is<Equal<typeof verifier, node.SyncVerifier>>()
is<Equal<ReturnType<typeof verifier.verify>, Promise<node.VerifiedWebhook>>>()
is<Equal<ReturnType<typeof verifier.verifySync>, node.VerifiedWebhook>>()
is<Equal<ReturnType<typeof verifier.verifySignatureSync>, node.SignatureProof>>()
is<Equal<IsAny<node.VerifiedWebhook['event']>, false>>()
is<Equal<IsAny<node.VerifiedWebhook['event']['payload']>, false>>()
is<Equal<ReturnType<typeof sign>, string>>()

is<Equal<HasAny<node.TransactionPayload>, false>>()
is<Equal<HasAny<node.IntentPayload>, false>>()
is<Equal<HasAny<node.VerifiedWebhook>, false>>()
is<Equal<HasAny<node.DispatchedWebhook>, false>>()
// The guard itself guards.
is<Equal<HasAny<{ a: { b?: any }[] }>, true>>()
// As another library reads the same schemas.
is<Equal<node.TransactionPayload, InferOutput<typeof transactionSchema>>>()
is<Equal<node.IntentPayload, InferOutput<typeof intentSchema>>>()

// Headers as Express, Hapi and fetch give them.
declare const request: { headers: Record<string, string | string[] | undefined> }
void verifier.verify(body, request.headers['service-signature'])
void verifier.verify(new ArrayBuffer(2), new Headers().get('service-signature'))

const webVerifier = web.createVerifier({
  secret: () => Promise.resolve([secret]),
  apiKey: { get: () => secret },
})
is<Equal<typeof webVerifier, web.Verifier>>()
// @ts-expect-error: Web Crypto answers later
void webVerifier.verifySync
// @ts-expect-error: Web Crypto answers later
void web.verifySync
// @ts-expect-error: a source answers later
node.verifySync(body, 't=1', { secret: () => secret })
// @ts-expect-error: a parsed body is not the signed body
void verifier.verify({ type: 'intent.processed' }, 't=1')
// An environment variable compiles. If it is missing, that is an error at start.
declare const fromEnvironment: string | undefined
void node.createVerifier({ secret: fromEnvironment, apiKey: fromEnvironment })
sign('{}', { secret: fromEnvironment, apiKey: fromEnvironment })
// So does a list of variables, from anywhere.
void node.createVerifier({ secret: [fromEnvironment, fromEnvironment], apiKey: [fromEnvironment] })
void web.createVerifier({ secret: () => [fromEnvironment], apiKey: { get: () => [fromEnvironment] } })
void node.verifySync(body, 't=1', { secret: [fromEnvironment, fromEnvironment] })
// @ts-expect-error: a list of keys, not of numbers
void node.createVerifier({ secret: [7] })
// @ts-expect-error: misspelled
node.createVerifier({ secrets: [secret] })
// @ts-expect-error: there is no v4
node.createVerifier({ secret, versions: ['v4'] })

const error: unknown = undefined
if (node.WebhookError.is(error)) {
  is<Equal<typeof error.code, node.WebhookErrorCode>>()
  // @ts-expect-error: no such code
  void (error.code === 'ERR_SIGNATURE')
}

// A cache that instances share answers with promises.
const url = 'https://api.example.com'
const cached: node.CachedSecret = { secret, fetchedAt: 0 }
const cache: node.SecretCache = { get: () => Promise.resolve(null), set: () => Promise.resolve('OK') }
node.fetchSecret({ baseUrl: url, apiKey: secret, cache })
node.fetchSecret({
  baseUrl: url,
  apiKey: secret,
  cache: { get: () => Promise.resolve(cached), set: () => Promise.resolve() },
})
// @ts-expect-error: a Map is not shared
node.fetchSecret({ baseUrl: url, apiKey: secret, cache: new Map() })
// @ts-expect-error: a Map is not shared
node.fetchSecret({ baseUrl: url, apiKey: secret, cache: new Map<string, node.CachedSecret>() })
declare const withoutKeys: { get: node.SecretCache['get']; set: (value: node.CachedSecret) => Promise<void> }
// @ts-expect-error: a cache without keys would mix accounts
node.fetchSecret({ baseUrl: url, apiKey: secret, cache: withoutKeys })
// @ts-expect-error: a failed call is not repeated within itself
node.fetchSecret({ baseUrl: url, apiKey: secret, retries: 2 })

// Of the environment, as the secret; without it the call throws.
node.fetchSecret({ baseUrl: process.env['PAYMENT_SERVICE_URL'], apiKey: process.env['PAYMENT_API_KEY'] })

// An account that is not known is undefined, as a Map answers.
const accounts = new Map<string, node.SecretSource>()
node.createVerifier({ secret: ({ request }) => accounts.get(request as string) })
web.createVerifier({ secret: () => Promise.resolve(null) })
