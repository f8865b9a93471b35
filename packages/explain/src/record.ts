/**
 * Saves refusals of an endpoint as files, so that they can be explained the day after. For Node.
 *
 * @module explain/record
 */
import type { WebhookError } from '@service-signature/core'
import { clockOption, numberOption, ownOptions, typeName } from '@service-signature/core/shared/check-options'
import { signatureIn } from '@service-signature/core/signature/header'
import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Refusal } from './refusal-explainer.js'

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
const MAX_BYTES = 16 * 1024 * 1024

/** A name starts with the time, so that names are in order. Other files in the folder are left alone. */
const NAME = /^[-+\dTZ.]+_(ERR_[A-Z_]+)_[0-9a-f-]{36}\.http$/

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
  const { folder } = own
  if (typeof folder !== 'string' || folder === '') {
    throw new TypeError(
      `"folder" must be the path of a folder, got ${folder === '' ? 'an empty string' : typeName(folder)}`,
    )
  }
  const now = clockOption(own.now)
  const keep = numberOption(own, 'keep', 20, { above: 0, max: 1000, isWhole: true })
  const recordedAt = new Map<string, number>()
  let writing = Promise.resolve()
  let hasWarned = false

  function warn(error: unknown): void {
    if (hasWarned) return
    hasWarned = true
    const message = `A refusal was not recorded in ${folder}; the response is not affected`
    process.emitWarning(message, { type: 'ServiceSignatureWarning', detail: String(error) })
  }

  return ({ code, status }, refusal) => {
    if (!STATUSES.includes(status)) return undefined
    const at = now()
    // A clock that was set back must not end the recording.
    const elapsed = Math.abs(at - (recordedAt.get(code) ?? -Infinity))
    if (elapsed < HOUR) return undefined
    // If it cannot be written, the next one is not tried before an hour has passed: anyone can cause refusals.
    recordedAt.set(code, at)
    const name = `${new Date(at).toISOString().replaceAll(':', '-')}_${code}_${randomUUID()}.http`
    const request = rawRequest(refusal, code, at)
    writing = writing
      .then(() => write(folder, name, request))
      .then(() => removeOldest(folder, keep))
      .catch(warn)
    return writing
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

async function write(folder: string, name: string, request: Uint8Array): Promise<void> {
  if (request.length > MAX_BYTES) throw new RangeError(`It has ${request.length} bytes, more than 16 MiB`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, name)
  try {
    // "wx" follows no symbolic link.
    await writeFile(path, request, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    // A disk that is full leaves a part of it.
    await rm(path, { force: true })
    throw error
  }
}

/** Removes files until the rest is within the limits. Other processes may write into the folder, too. */
async function removeOldest(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort()
  const found = await Promise.all(
    names.map(async (name) => {
      // Another process may have removed it by now.
      const file = await lstat(join(folder, name)).catch(() => undefined)
      return file?.isFile() === true ? [{ name, code: NAME.exec(name)![1]!, size: file.size }] : []
    }),
  )
  const files = found.flat()
  const isTooLarge = () => files.reduce((total, { size }) => total + size, 0) > MAX_BYTES
  while (files.length > keep || isTooLarge()) {
    const [oldest] = files.splice(oldestOfMostFrequent(files), 1)
    await rm(join(folder, oldest!.name), { force: true })
  }
}

/** The code of a flood must not displace the others. */
function oldestOfMostFrequent(files: readonly { readonly code: string }[]): number {
  const counts = new Map<string, number>()
  for (const { code } of files) counts.set(code, (counts.get(code) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return files.findIndex(({ code }) => counts.get(code) === most)
}
