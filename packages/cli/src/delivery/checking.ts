import type { Version } from '@service-signature/core'
import {
  keysFor,
  positiveSeconds,
  readKeys,
  unixTime,
  versionList,
  type Io,
  type KeyOptions,
  type Keys,
} from '@service-signature/terminal'
import { readDelivery, type DeliveryOptions, type LoadedDelivery } from './read-delivery.js'

/** The options of a command that checks a saved delivery. */
export interface CheckingOptions extends DeliveryOptions, KeyOptions {
  readonly versions: string
  readonly tolerance: string
  readonly now?: string
  readonly json?: true
}

/** A saved delivery, and the rules for checking it. */
export interface Checking {
  readonly delivery: LoadedDelivery
  readonly rules: Keys & {
    readonly versions: readonly Version[]
    readonly toleranceSeconds: number
    readonly now: () => number
  }
}

/** @throws {UsageError} on a wrong value, a missing key, and an input that cannot be read */
export async function readChecking(
  options: CheckingOptions,
  io: Io,
  { keysAsIs }: { readonly keysAsIs: boolean },
): Promise<Checking> {
  const { now } = options
  const versions = versionList(options.versions)
  const toleranceSeconds = positiveSeconds('--tolerance', options.tolerance)
  const time = now === undefined ? io.now() : Number(unixTime('--now', now)) * 1000
  const keys = await readKeys(options, io, { need: keysFor(versions), asIs: keysAsIs })
  const delivery = await readDelivery(options, io)
  return { delivery, rules: { ...keys, versions, toleranceSeconds, now: () => time } }
}
