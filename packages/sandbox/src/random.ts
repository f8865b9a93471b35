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
   * the order in which different things happen changes nothing.
   */
  readonly happens: (chance: number, about: string) => boolean
}

/** `drawn` has how often each thing was drawn so far. */
export function seededRandom(seed: string, drawn = new Map<string, number>()): Random {
  function draw(about: string): Buffer {
    const count = drawn.get(about) ?? 0
    drawn.set(about, count + 1)
    return createHmac('sha256', seed).update(`${count} ${about}`).digest()
  }

  return {
    id: (prefix) => `${prefix}_${draw(`id ${prefix}`).toString('hex', 0, 12)}`,
    uuid(about) {
      const bytes = draw(about === undefined ? 'uuid' : `uuid ${about}`)
      // Version 4 of RFC 9562, which is the one for random bytes.
      bytes[6] = (bytes[6]! & 0x0f) | 0x40
      bytes[8] = (bytes[8]! & 0x3f) | 0x80
      return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    },
    key: (prefix) => `${prefix}_${draw(`key ${prefix}`).toString('hex', 0, 20)}`,
    happens: (chance, about) => draw(`chance ${about}`).readUInt32BE() / 2 ** 32 < chance,
  }
}
