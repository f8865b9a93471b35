/** What can be changed after the signature was made. */
export const TAMPERINGS = ['body', 'signature', 'timestamp'] as const

export type Tampering = (typeof TAMPERINGS)[number]

/** What goes on the wire. */
export interface SignedBytes {
  readonly body: Buffer
  readonly header: string
}

const TAMPER: Readonly<Record<Tampering, (delivery: SignedBytes) => SignedBytes>> = {
  body: ({ body, header }) => ({ header, body: otherBody(body) }),
  // Changes the last hex digit of every signature.
  signature: ({ body, header }) => ({
    body,
    header: header.replace(/(?<=v\d=[0-9a-f]{63})[0-9a-f]/g, otherHex),
  }),
  // One second, which leaves it as fresh as it was.
  timestamp: ({ body, header }) => ({
    body,
    header: header.replace(/\d+/, (time) => String(Number(time) + 1)),
  }),
}

/** The delivery with one thing changed that its signature covers. */
export function tamper(kind: Tampering, delivery: SignedBytes): SignedBytes {
  return TAMPER[kind](delivery)
}

/** The last digit of the body, to another one: it stays JSON, and v1 and v2, which are blind to spaces, see it too. */
function otherBody(body: Buffer): Buffer {
  const text = body.toString('latin1')
  const at = text.search(/\d(?=\D*$)/)
  if (at === -1) return Buffer.concat([body, Buffer.from('0')])
  const copy = Buffer.from(body)
  copy[at]! ^= 1
  return copy
}

function otherHex(digit: string): string {
  return digit === '0' ? '1' : '0'
}
