/** What can be changed after the signature was made. */
export const TAMPERINGS = ['body', 'signature', 'timestamp'] as const

export type Tampering = (typeof TAMPERINGS)[number]

/** What goes on the wire. */
export interface SignedBody {
  readonly body: Uint8Array
  readonly header: string
}

/** The delivery with one thing changed that its signature covers. */
export function tamper(kind: Tampering, { body, header }: SignedBody): SignedBody {
  switch (kind) {
    case 'body':
      // A character for each byte, because the body need not be text.
      return { header, body: Buffer.from(tamperBody(Buffer.from(body).toString('latin1')), 'latin1') }
    case 'signature':
      // The last hex digit of every signature.
      return {
        body,
        header: header.replace(/(?<=v\d=[0-9a-f]{63})[0-9a-f]/g, (digit) => (digit === '0' ? '1' : '0')),
      }
    case 'timestamp':
      // One second, which leaves it as fresh as it was.
      return { body, header: header.replace(/\d+/, (time) => String(Number(time) + 1)) }
  }
}

/** The first digit of the first amount. */
const AMOUNT = /(?<="(?:value|amount)":\s*"?)\d/
/** For other bodies: the last digit, or else the last letter. */
const OTHERS = [/\d(?=\D*$)/, /[a-z](?=[^a-z]*$)/i]

/** Changes the first amount of an event, as a forger would. A body without one is changed elsewhere, but not in its spaces. */
export function tamperBody(body: string): string {
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
