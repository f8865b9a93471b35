interface OwnClaim {
  readonly token: string
  /** Whether the database has confirmed it. */
  readonly isConfirmed: boolean
  readonly lapses: number
}

/** The claims that this inbox has made as a replay store, until they end or lapse. Keys are as they are stored. */
export class OwnClaims {
  readonly #leaseMs: number
  /** In the order in which they lapse. */
  readonly #claims = new Map<string, OwnClaim>()

  constructor(leaseSeconds: number) {
    this.#leaseMs = leaseSeconds * 1000
  }

  get size(): number {
    return this.#claims.size
  }

  /** A claim that was made, or one whose answer was lost: it may have been made. */
  add(key: string, token: string, isConfirmed: boolean): void {
    this.#forgetLapsed()
    if (!isConfirmed && this.has(key)) return
    this.#claims.delete(key)
    this.#claims.set(key, { token, isConfirmed, lapses: performance.now() + this.#leaseMs })
  }

  end(key: string, token: string): void {
    if (this.#claims.get(key)?.token === token) this.#claims.delete(key)
  }

  /** Whether a request of this inbox is handling the delivery. */
  has(key: string): boolean {
    return this.#live(key)?.isConfirmed === true
  }

  /** The token of a claim whose answer was lost. */
  unconfirmedToken(key: string): string | undefined {
    const claim = this.#live(key)
    return claim?.isConfirmed === false ? claim.token : undefined
  }

  #live(key: string): OwnClaim | undefined {
    const claim = this.#claims.get(key)
    return claim !== undefined && claim.lapses > performance.now() ? claim : undefined
  }

  #forgetLapsed(): void {
    for (const [key, { lapses }] of this.#claims) {
      if (lapses > performance.now()) return
      this.#claims.delete(key)
    }
  }
}
