import {
  change,
  print,
  type Changes,
  type AuditRequest,
  type Elements,
  type Purchase,
  type Sender,
} from '../send/sender.js'

type Deliveries = (sender: Sender) => readonly AuditRequest[]

/** A digest of the right length that is not the digest of anything. */
export const WRONG_DIGEST = 'a'.repeat(64)

/** The most common fix: the digest covers the bytes that were sent. */
export const VERIFY_BYTES =
  'Verify the bytes of the body as they arrived: use a raw body parser for this route, not a JSON or text parser.'

/** A new purchase, valid except for these changes. */
export function purchase(changes: Changes = {}): Deliveries {
  return (sender) => [sender.deliver(sender.purchase(), changes)]
}

/** A valid delivery of each of these bodies. */
export function bodies(make: (sender: Sender) => readonly (string | Uint8Array)[]): Deliveries {
  return (sender) => make(sender).map((body) => sender.deliver(body))
}

/** A valid delivery of a new purchase in which one place is printed in another way. */
export function purchaseWith(place: string, by: string, content?: Purchase): Deliveries {
  return bodies((sender) => [replaced(sender.purchase(content), place, by)])
}

/** A new purchase that is signed in other ways: one delivery for each of them. */
export function signedAs(make: (valid: Elements, sender: Sender) => readonly Elements[]): Deliveries {
  return (sender) => {
    const body = sender.purchase()
    const signatures = make(sender.sign(body), sender).map(print)
    return signatures.map((signature) => sender.deliver(body, { signature: [signature] }))
  }
}

/** A new purchase that was signed at another time, as a Unix time in seconds. */
export function signedAt(timeOf: (now: number) => number): Deliveries {
  return (sender) => {
    const body = sender.purchase()
    const signature = print(sender.sign(body, timeOf(sender.now())))
    return [sender.deliver(body, { signature: [signature] })]
  }
}

/** Bodies, made of a new purchase, that were changed after signing: each is sent with the signature of the first. */
export function changed(
  make: (
    purchase: string,
    sender: Sender,
  ) => readonly [signed: string | Uint8Array, ...sent: (string | Uint8Array)[]],
): Deliveries {
  return (sender) => {
    const [signed, ...sent] = make(sender.purchase(), sender)
    const signature = [print(sender.sign(signed))]
    return sent.map((body) => sender.deliver(body, { signature }))
  }
}

/** A body from a sender without a key: whatever the right digests are, these are wrong. */
export function forged(sender: Sender, body: string | Uint8Array, changes: Changes = {}): AuditRequest {
  const signature = print(change(sender.sign('{}'), ['v1', 'v2', 'v3'], () => WRONG_DIGEST))
  return sender.deliver(body, { ...changes, signature: [signature] })
}

/** The text with one place changed. */
export function replaced(text: string, place: string, by: string): string {
  return text.replace(place, () => by)
}

/** The purchase with another amount, printed as it is written here. */
export function withAmount(purchase: string, amount: string): string {
  return purchase.replaceAll('"value":50.5', () => `"value":${amount}`)
}
