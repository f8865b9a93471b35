/** A delivery as it was saved. */
export interface SavedDelivery {
  readonly body: Buffer
  /** Nothing where the saved head has no such header: a verifier has its own word for that. */
  readonly header: string | undefined
  /** What may have been lost when it was saved. */
  readonly notes: readonly string[]
}
