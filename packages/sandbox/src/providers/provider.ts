import type { Card } from '../vault/test-cards.js'

/** A simulated provider: it holds cards and agreements of its own. */
export interface Provider {
  readonly id: string
  /** Only then it can hold coverage of an agreement (S2.4). */
  readonly mapsAgreements: boolean
  /** Its vault: cards by the id of their token. */
  readonly cards: Map<string, Card>
  /** Its own reference under each agreement that it covers. */
  readonly coverage: Map<string, string>
}

function createProvider(id: string, mapsAgreements: boolean): Provider {
  return { id, mapsAgreements, cards: new Map(), coverage: new Map() }
}

/** The two that are connected. The first is the one that takes what is not routed. */
export function createProviders(): readonly [Provider, ...Provider[]] {
  return [createProvider('north', true), createProvider('south', false)]
}
