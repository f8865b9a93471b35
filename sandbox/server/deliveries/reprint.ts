import { reprint } from '@service-signature/deliveries'

/** Whether it is JSON that stays the same when it is parsed and re-serialized. */
export function isStable(body: string): boolean {
  return reprint(body) === body
}

const LONGEST = 24

/** Where and how a body first changes when it is re-serialized, without a full stop; undefined if it does not. */
export function reprintChange(body: string): string | undefined {
  const printed = reprint(body)
  const change = printed === undefined ? undefined : changeBetween(body, printed)
  if (change === undefined) return undefined
  const { at } = change
  return `at character ${at}, ${howItChanges(body, printed!, at)}`
}

function howItChanges(body: string, printed: string, at: number): string {
  const escape = /^\\u[\da-f]{4}/i.exec(body.slice(at, at + 6))
  if (escape !== null) return `${escape[0]} becomes the letter itself`
  const space = /^\s+/.exec(body.slice(at, at + LONGEST))
  if (space !== null) return `white space after ${JSON.stringify(body.slice(0, at).at(-1) ?? '')} is lost`
  // A number is compared from its first digit on, of which the last ones differ.
  const start = at - /[-+.\dEe]*$/.exec(body.slice(Math.max(0, at - LONGEST), at))![0].length
  const [before, after] = [body, printed].map((text) => /^-?\d[-+.\dEe]*/.exec(text.slice(start))?.[0])
  if (before !== undefined && after !== undefined) return `${before} becomes ${after}`
  return `${cut(body.slice(at))} becomes ${cut(printed.slice(at))}`
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text
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

/** Why a text is not JSON, in the words of the runtime; undefined if it is JSON. */
export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    // It quotes the text with its line breaks.
    return `It is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}.`
  }
}
