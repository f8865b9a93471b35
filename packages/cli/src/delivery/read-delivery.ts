import {
  printable,
  readDeliveries,
  signatureInLines,
  type SavedDelivery,
} from '@service-signature/deliveries'
import { count, placeOf, readInput, STDIN, UsageError, type Io } from '@service-signature/terminal'
import { fetchDelivery, isAddress, placeOfAddress } from './fetch-delivery.js'

/** Where a saved delivery is, as the options say. */
export interface DeliveryOptions {
  readonly body?: string
  readonly header?: string
  readonly headers?: string
  readonly request?: string
  readonly entry?: string
}

/** A delivery as it was saved. The header is missing if it was not saved: a verifier has its own word for that. */
export interface LoadedDelivery extends Omit<SavedDelivery, 'label' | 'exchange'> {
  /** Where it was fetched from, if it is not in a file. */
  readonly address?: string
}

/**
 * Reads a saved delivery: a body and a header, or a whole request.
 *
 * @throws {UsageError} if an input cannot be read, or is not named
 */
export async function readDelivery(options: DeliveryOptions, io: Io): Promise<LoadedDelivery> {
  const { request, headers, header, body, entry } = options
  if (request !== undefined) {
    if ((body ?? header ?? headers) !== undefined) {
      throw new UsageError('--request has head and body: leave out --body, --header and --headers.')
    }
    return readRequest(request, entry === undefined ? undefined : count('--entry', entry), io)
  }
  if (entry !== undefined) throw new UsageError('--entry chooses from a file that is named with --request.')
  if ((header === undefined) === (headers === undefined)) {
    throw new UsageError(
      'Say where the signature is: --header <value>, --headers <file> or --request <file>.',
    )
  }
  const saved = header ?? signatureInLines((await readInput(headers!, io)).toString())
  return { body: await readInput(body ?? STDIN, io), header: saved, notes: [] }
}

async function readRequest(file: string, entry: number | undefined, io: Io): Promise<LoadedDelivery> {
  const [place, bytes] = isAddress(file)
    ? [placeOfAddress(file), await fetchDelivery(file, io)]
    : [placeOf(file), await readInput(file, io)]
  const deliveries = deliveriesIn(bytes, place)
  const { length } = deliveries
  if (entry === undefined && length > 1) {
    const list = deliveries.map(({ label }, index) => `\n  ${index + 1}  ${printable(label)}`).join('')
    throw new UsageError(
      `${place} has ${length} signed requests: choose one with --entry 1 to ${length}.${list}`,
    )
  }
  const chosen = deliveries[(entry ?? 1) - 1]
  if (chosen !== undefined) return isAddress(file) ? { ...chosen, address: file } : chosen
  throw new UsageError(
    `${place} has ${length} signed request${length === 1 ? '' : 's'}: there is no entry ${entry!}.`,
  )
}

function deliveriesIn(bytes: Uint8Array, place: string): readonly SavedDelivery[] {
  try {
    return readDeliveries(bytes)
  } catch (error) {
    throw new UsageError(`${place}: ${printable((error as Error).message)}`)
  }
}
