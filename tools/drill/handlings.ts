import type { Report } from './endpoint.js'

/** One run of the handler for one delivery. Times are in milliseconds. */
export interface Handling {
  /** When the claim was sent, and when it was answered. */
  readonly askedAt: number
  readonly claimedAt: number
  /** When the commit or its error arrived. Infinity if neither did. */
  readonly endedAt: number
  readonly isCommitted: boolean
}

/** Combines the reports of all endpoints. */
export class Handlings {
  readonly #claimed = new Map<string, Extract<Report, { kind: 'claimed' }>>()
  readonly #handled = new Map<string, string>()
  readonly #ended = new Map<string, Extract<Report, { kind: 'ended' }>>()
  /** How often each error of the store was reported. */
  readonly storeErrors = new Map<string, number>()

  add(report: Report): void {
    if (report.kind === 'claimed') this.#claimed.set(report.token, report)
    else if (report.kind === 'handled') this.#handled.set(report.token, report.id)
    else if (report.kind === 'ended') this.#ended.set(report.token, report)
    if ('error' in report) {
      // The ports differ from run to run.
      const error = report.error.replace(/\d{3,}/g, 'N')
      this.storeErrors.set(error, (this.storeErrors.get(error) ?? 0) + 1)
    }
  }

  /** The handling under a claim. */
  get(token: string): Handling {
    const end = this.#ended.get(token)
    const { askedAt, at: claimedAt } = this.#claimed.get(token)!
    const isCommitted = end?.step === 'commit' && end.error === undefined
    return { askedAt, claimedAt, endedAt: end?.at ?? Infinity, isCommitted }
  }

  /** The handlings of each delivery, in the order of their claims. */
  byDelivery(): Map<string, Handling[]> {
    const deliveries = new Map<string, Handling[]>()
    for (const [token, id] of this.#handled) {
      deliveries.set(id, [...(deliveries.get(id) ?? []), this.get(token)])
    }
    for (const handlings of deliveries.values()) handlings.sort((a, b) => a.claimedAt - b.claimedAt)
    return deliveries
  }
}

/** Reasons for which a delivery may be handled again. */
export const REASONS = {
  commitLost: 'its commit was confirmed, but lost with the old master',
  claimLost: 'its claim was confirmed, but lost with the old master',
  commitFailed: 'its commit failed during the fail-over, and its lease ended',
  leaseEnded: 'its lease ended before the commit arrived',
  unexplained: 'unexplained',
} as const

export interface Failover {
  readonly killedAt: number
  readonly leaseMilliseconds: number
}

/** How long after the death of a master its last answers may arrive. */
const ON_THE_WAY = 50

/** Why a delivery could be claimed for `next` although `previous` had claimed it. */
export function reasonOf(
  previous: Handling,
  next: Handling,
  { killedAt, leaseMilliseconds }: Failover,
): keyof typeof REASONS {
  const isAcrossFailover = previous.askedAt < killedAt && next.claimedAt > killedAt
  // A commit that was confirmed later is on the new master.
  const isOnOldMaster = previous.isCommitted && previous.endedAt <= killedAt + ON_THE_WAY
  if (isAcrossFailover && isOnOldMaster) return 'commitLost'
  const hasEnded = previous.endedAt < next.askedAt
  if (hasEnded && previous.isCommitted) return 'unexplained'
  const isLeaseOver = next.claimedAt - previous.askedAt >= leaseMilliseconds
  if (isLeaseOver) return hasEnded ? 'commitFailed' : 'leaseEnded'
  return isAcrossFailover ? 'claimLost' : 'unexplained'
}
