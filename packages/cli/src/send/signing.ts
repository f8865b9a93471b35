import { WebhookError, type CanonicalForm, type Version } from '@service-signature/core'
import { sign } from '@service-signature/core/testing'
import {
  keysFor,
  missingKey,
  oneOf,
  readKeys,
  UsageError,
  versionList,
  type Io,
  type KeyOptions,
  type Keys,
} from '@service-signature/terminal'

const FORMS = ['source', 'ecmascript', 'python'] as const satisfies readonly CanonicalForm[]

/** The options of a command that signs. */
export interface SigningOptions extends KeyOptions {
  readonly versions?: string
  readonly canonicalForm?: string
}

/** What to sign with. */
export interface Signing extends Keys {
  /** Every version whose key is there, unless they are named. */
  readonly versions?: readonly Version[]
  readonly canonicalForm?: CanonicalForm
}

/** @throws {UsageError} on a wrong value, and when a key is missing */
export async function readSigning(options: SigningOptions, io: Io): Promise<Signing> {
  const versions = options.versions === undefined ? undefined : versionList(options.versions)
  const form = options.canonicalForm
  const canonicalForm = form === undefined ? undefined : oneOf('--canonical-form', FORMS, form)
  const keys = await readKeys(options, io, { need: versions ? keysFor(versions) : [] })
  // v3 is the recommended version, so the error asks for its key.
  if (keys.secret === undefined && keys.apiKey === undefined) throw missingKey('secret', io)
  return { ...keys, ...(versions && { versions }), ...(canonicalForm && { canonicalForm }) }
}

/** @throws {UsageError} if v2 is requested, and the body is not JSON */
export function signBody(body: Uint8Array | string, signing: Signing, timestamp: string): string {
  try {
    return sign(body, { ...signing, timestamp })
  } catch (error) {
    if (!WebhookError.is(error)) throw error
    throw new UsageError(
      `v2 signs JSON, and this body is not JSON that it can sign. Leave v2 out of --versions.`,
    )
  }
}

/** The names of the versions that a header value has. */
export function versionsIn(header: string): readonly string[] {
  return header
    .split(',')
    .slice(1)
    .map((element) => element.split('=', 1)[0]!)
}
