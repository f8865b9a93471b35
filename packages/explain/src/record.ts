/**
 * Saves refusals of an endpoint as files, so that they can be explained the day after. For Node.
 *
 * @module explain/record
 */
import type { WebhookError } from '@service-signature/core'
import { numberOption, ownOptions, typeName } from '@service-signature/core/shared/check-options'
import { signatureIn } from '@service-signature/core/signature/header'
import type { Refusal } from './refusal-explainer.js'
import { RefusalFolder } from './refusal-folder.js'

export type { Refusal } from './refusal-explainer.js'

export interface RecordRefusalsOptions {
  /** Where the files are written. It is created with mode 0700 if it is missing. */
  readonly folder: string
  /** How many files may be in the folder, from 1 to 1000. Default: 20. */
  readonly keep?: number
  /** The clock, in milliseconds. For tests. Default: `Date.now`. */
  readonly now?: () => number
}

const OPTIONS = ['folder', 'keep', 'now'] as const satisfies readonly (keyof RecordRefusalsOptions)[]
const STATUSES: readonly number[] = [400, 401, 403, 413, 415]
const HOUR = 3_600_000

/**
 * Makes a hook `onRejected` that saves refusals with the status 400, 401, 403, 413 or 415 as raw requests: the first of
 * each code, then at most one an hour. `npx service-signature explain --request <file>` explains such a file.
 *
 * A file has the header `Service-Signature`, the code, the time, and the body, which may name a customer. If a file cannot be
 * written, the process gets one warning, and the response is not affected.
 *
 * @example
 * serviceSignature({ secret, onRejected: recordRefusals({ folder: '/var/lib/shop/refusals' }) })
 *
 * @throws {TypeError | RangeError} on an option that is misspelled, missing or out of bounds
 */
export function recordRefusals(
  options: RecordRefusalsOptions,
): (error: Pick<WebhookError, 'code' | 'status'>, refusal: Refusal) => Promise<void> | undefined {
  const own = ownOptions(options, OPTIONS, 'recordRefusals')
  const { folder, now = Date.now } = own
  if (typeof folder !== 'string' || folder === '') {
    throw new TypeError(
      `"folder" must be the path of a folder, got ${folder === '' ? 'an empty string' : typeName(folder)}`,
    )
  }
  if (typeof now !== 'function') {
    throw new TypeError(`"now" must be a function that returns milliseconds, got ${typeName(now)}`)
  }
  const files = new RefusalFolder(
    folder,
    numberOption(own, 'keep', 20, { above: 0, max: 1000, isWhole: true }),
  )
  const recordedAt = new Map<string, number>()
  return ({ code, status }, refusal) => {
    if (!STATUSES.includes(status)) return undefined
    const at = now()
    // A clock that was set back must not end the recording.
    const elapsed = Math.abs(at - (recordedAt.get(code) ?? -Infinity))
    if (elapsed < HOUR) return undefined
    // If it cannot be written, the next one is not tried before an hour has passed: anyone can cause refusals.
    recordedAt.set(code, at)
    return files.add(code, at, rawRequest(refusal, code, at))
  }
}

/** Copies the body, which may change after the hook. */
function rawRequest({ header, body }: Refusal, code: string, at: number): Uint8Array {
  const values = [signatureIn(header)].flat().filter((value) => typeof value === 'string')
  const unread = body === undefined ? ', before its body was read' : ''
  const head = [
    // The path and the other headers may hold a token.
    'POST / HTTP/1.1',
    // A line break must not start another header.
    ...values.map((value) => `Service-Signature: ${value.replaceAll('\n', '\n ')}`),
    `Refused: ${code} at ${new Date(at).toISOString()}${unread}`,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}
