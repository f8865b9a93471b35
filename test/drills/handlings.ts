/** A step of an endpoint. The token names the claim, and so one handling of one delivery. */
export type Report =
  | { readonly kind: 'booked'; readonly booking: string }
  | { readonly kind: 'claimed'; readonly token: string; readonly askedAt: number; readonly at: number }
  | { readonly kind: 'handled'; readonly id: string; readonly token: string }
  | {
      readonly kind: 'ended'
      readonly token: string
      readonly at: number
      readonly step: 'commit' | 'release'
      readonly isFailed: boolean
    }

/** One run of the handler for one delivery. Times are in milliseconds. */
export interface Handling {
  /** When the claim was sent, and when it was answered. */
  readonly askedAt: number
  readonly claimedAt: number
  /** When the commit or its error arrived. Infinity if neither did. */
  readonly endedAt: number
  readonly isCommitted: boolean
  /** The process that ran it. */
  readonly pid: number
}

/** Reasons for which a delivery may be handled again. */
export const REASONS = {
  commitLost: 'again: its commit was confirmed, and lost with the server',
  claimLost: 'again: its claim was confirmed, and lost with the server',
  processKilled: 'again: its process was killed between the booking and the commit',
  commitFailed: 'again: its commit failed, and its lease ended',
  leaseEnded: 'again: its lease ended before the commit arrived',
  unexplained: 'unexplained',
} as const

export type Reasons = Record<keyof typeof REASONS, number>

export interface Kills {
  /** When the server of the store was killed. */
  readonly downAt: readonly number[]
  /** The ids of the killed processes. */
  readonly killed: ReadonlySet<number>
  readonly leaseMilliseconds: number
}

/** Combines the reports of all endpoints. */
export class Handlings {
  readonly #claimed = new Map<string, { askedAt: number; at: number; pid: number }>()
  readonly #ended = new Map<string, Extract<Report, { kind: 'ended' }>>()
  /** The delivery of each handling, by its token. */
  readonly handled = new Map<string, string>()

  add(report: Report, pid: number): void {
    if (report.kind === 'claimed') this.#claimed.set(report.token, { ...report, pid })
    else if (report.kind === 'handled') this.handled.set(report.token, report.id)
    else if (report.kind === 'ended') this.#ended.set(report.token, report)
  }

  /** How often each reason was that of a second handling. `handled` has the delivery of each token. */
  again(handled: Iterable<readonly [token: string, id: string]>, kills: Kills): Reasons {
    const deliveries = new Map<string, Handling[]>()
    for (const [token, id] of handled) deliveries.set(id, [...(deliveries.get(id) ?? []), this.#get(token)])
    const reasons = Object.fromEntries(Object.keys(REASONS).map((reason) => [reason, 0])) as Reasons
    for (const [id, handlings] of deliveries) {
      handlings.sort((a, b) => a.claimedAt - b.claimedAt)
      for (const [index, next] of handlings.slice(1).entries()) {
        const reason = reasonOf(handlings[index]!, next, kills)
        reasons[reason]++
        if (reason === 'unexplained') console.error(`Not explained: ${id}`, handlings, kills)
      }
    }
    return reasons
  }

  #get(token: string): Handling {
    const end = this.#ended.get(token)
    const { askedAt, at: claimedAt, pid } = this.#claimed.get(token)!
    const isCommitted = end?.step === 'commit' && !end.isFailed
    return { askedAt, claimedAt, endedAt: end?.at ?? Infinity, isCommitted, pid }
  }
}

/** How long after the death of a server its last answers may arrive. */
const ON_THE_WAY = 50

/** Why a delivery could be claimed for `next` although `previous` had claimed it. */
export function reasonOf(
  previous: Handling,
  next: Handling,
  { downAt, killed, leaseMilliseconds }: Kills,
): keyof typeof REASONS {
  const between = downAt.filter((time) => previous.askedAt < time && time < next.claimedAt)
  // A commit that was confirmed later is on the server that took over.
  const isLost = previous.isCommitted && between.some((time) => previous.endedAt <= time + ON_THE_WAY)
  if (isLost) return 'commitLost'
  const hasEnded = previous.endedAt < next.askedAt
  if (hasEnded && previous.isCommitted) return 'unexplained'
  const isLeaseOver = next.claimedAt - previous.askedAt >= leaseMilliseconds
  if (!isLeaseOver) return between.length > 0 ? 'claimLost' : 'unexplained'
  if (killed.has(previous.pid) && previous.endedAt === Infinity) return 'processKilled'
  return hasEnded ? 'commitFailed' : 'leaseEnded'
}
