/** The first digit of the first amount. */
const AMOUNT = /(?<="(?:value|amount)":\s*"?)\d/
/** For other bodies: the last digit, or else the last letter. */
const OTHERS = [/\d(?=\D*$)/, /[a-z](?=[^a-z]*$)/i]

/** Changes the first amount of an event, as a forger would. A body without one is changed elsewhere. */
export function tamper(body: string): string {
  const place = [AMOUNT, ...OTHERS].find((pattern) => pattern.test(body))
  return place === undefined ? `${body}0` : body.replace(place, otherCharacter)
}

function otherCharacter(character: string): string {
  if (/\d/.test(character)) return String((Number(character) % 9) + 1)
  return character === 'x' ? 'y' : 'x'
}

export function hasAmount(body: string): boolean {
  return AMOUNT.test(body)
}

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
