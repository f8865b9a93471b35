import { createHmac } from 'node:crypto'

/** Where all that is random comes from. The same seed and the same questions give the same answers. */
export interface Random {
  /** An opaque id that begins with what it is for: `int_...`. */
  readonly id: (prefix: string) => string
  /** With a name, it has draws of its own. */
  readonly uuid: (about?: string) => string
  /** A key or a secret. */
  readonly key: (prefix: string) => string
  /**
   * Whether something happens that has this chance. Each thing that it is asked about has draws of its own, so that
   * the order in which different things happen changes nothing. `number` is that of the draw, where the caller knows it.
   */
  readonly happens: (chance: number, about: string, number?: number) => boolean
}

/** `count` returns how often it was called with a name before. */
export function seededRandom(seed: string, count: (name: string) => number): Random {
  function draw(about: string, number = count(about)): Buffer {
    return createHmac('sha256', seed).update(`${number} ${about}`).digest()
  }

  return {
    id: (prefix) => flat(`${prefix}_${draw(`id ${prefix}`).toString('hex', 0, 12)}`),
    uuid(about) {
      const bytes = draw(about === undefined ? 'uuid' : `uuid ${about}`)
      // Version 4 of RFC 9562, which is the one for random bytes.
      bytes[6] = (bytes[6]! & 0x0f) | 0x40
      bytes[8] = (bytes[8]! & 0x3f) | 0x80
      return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    },
    key: (prefix) => `${prefix}_${draw(`key ${prefix}`).toString('hex', 0, 20)}`,
    happens: (chance, about, number) => draw(`chance ${about}`, number).readUInt32BE() / 2 ** 32 < chance,
  }
}

/** In one piece: V8 keeps a text that was joined of two in twice its size. */
function flat(text: string): string {
  return Buffer.from(text).toString('latin1')
}
