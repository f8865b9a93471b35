import { gzipSync } from 'node:zlib'
import type { AuditGroup } from '../case.js'
import { REFUSED_OR_CLOSED } from '../expectation.js'
import { forged, purchase } from './deliveries.js'

const MEBIBYTE = 1024 * 1024

/** Bodies that are not whole, or too much. */
export const body: AuditGroup = {
  name: 'body',
  cases: [
    {
      name: 'cut short',
      sent: 'less than announced, then hung up',
      // Signed as it arrives, so that it is not the digest that gives it away.
      deliveries: purchase({ manner: 'cut' }),
      expected: REFUSED_OR_CLOSED,
      risk: 'A part of a delivery is taken for all of it, or waited for as if the rest could still come.',
    },
    {
      name: 'forged 3 MB',
      sent: 'a forgery of 3 MB, in chunks',
      deliveries: (sender) => [forged(sender, blanks(3), { manner: 'chunked' })],
      expected: REFUSED_OR_CLOSED,
      risk: 'Anybody can send what is larger than any event, and have it handled.',
    },
    {
      name: 'forged 64 MB',
      sent: 'a forgery of 64 MB, of which 4 come',
      deliveries: (sender) => [forged(sender, blanks(4), { manner: 'endless' })],
      expected: REFUSED_OR_CLOSED,
      risk: 'Anybody can have the endpoint read for as long as they like: memory, or connections, run out.',
    },
    {
      name: 'forged and packed',
      sent: 'a forgery of 8 MB, as 8 KB of gzip',
      deliveries: (sender) => [forged(sender, packed(), { headers: { 'Content-Encoding': 'gzip' } })],
      expected: REFUSED_OR_CLOSED,
      risk: 'A few bytes of anybody fill the memory.',
    },
  ],
}

let packedBlanks: Buffer | undefined

/** Packing takes longer than most audits, so it is done once, and only when it is needed. */
function packed(): Buffer {
  packedBlanks ??= gzipSync(blanks(8))
  return packedBlanks
}

function blanks(mebibytes: number): Buffer {
  return Buffer.alloc(mebibytes * MEBIBYTE, ' ')
}
