/** Where two texts differ, as the shortest piece that was replaced. */
export interface Change {
  /** How many characters are the same before it. */
  readonly at: number
  readonly signed: string
  readonly sent: string
}

/** What was changed between signing and sending, if anything was. */
export function changeBetween(signed: string, sent: string): Change | undefined {
  if (signed === sent) return undefined
  const shorter = Math.min(signed.length, sent.length)
  let at = 0
  while (at < shorter && signed[at] === sent[at]) at++
  let after = 0
  while (after < shorter - at && signed.at(-1 - after) === sent.at(-1 - after)) after++
  return {
    at,
    signed: signed.slice(at, signed.length - after),
    sent: sent.slice(at, sent.length - after),
  }
}
