import fc from 'fast-check'
import { print, trees } from '../../../core/test/support/json.js'
import { text } from '../../../core/test/support/text.js'
import { hmac, v1, v3 } from './genuine.js'

/** Bodies of any kind. */
export const bodies = fc.oneof(
  { weight: 3, arbitrary: fc.json({ maxDepth: 3 }).map((json) => Buffer.from(json)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(trees, fc.constantFrom('', ' ', '\n', '\r\n', '\t'))
      .map(([tree, gap]) => Buffer.from(print(tree, gap))),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 120 }) },
  { weight: 1, arbitrary: text({ maxLength: 60 }).map((chars) => Buffer.from(chars)) },
)

/** Keys of any kind, including faulty ones. */
export const keys = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/),
  fc.base64String({ minLength: 12, maxLength: 44 }),
  fc.stringMatching(/^[0-9a-f]{32}$/),
  text({ minLength: 4, maxLength: 40 }),
  fc.stringMatching(/^ ?"?(NAME=|Bearer )?[a-z0-9]{8,20},[a-z0-9]{4,9},true"?\n?$/),
)

/** A header as it is sent, over this body, with this key for all. */
export function headerOver(body: Uint8Array, key: string, time: string, versions: readonly string[]): string {
  const digests: Readonly<Record<string, () => string>> = {
    v1: () => v1(body, key, time),
    // Here it only matters that the text that v2 signs cannot be guessed.
    v2: () => hmac(key, Buffer.concat([body, Buffer.from(`sorted${time}`)])),
    v3: () => v3(body, key, time),
  }
  return [`t=${time}`, ...versions.map((version) => `${version}=${digests[version]!()}`)].join()
}

/** Changes of a header on its way. */
export const headerFaults = fc.constantFrom<(header: string) => string | string[] | null>(
  (header) => header,
  (header) => header,
  (header) => header,
  (header) => `"${header}"`,
  (header) => header.replaceAll(',', '; '),
  (header) => encodeURIComponent(header),
  (header) => `${header}, ${header}`,
  (header) => header.split(','),
  (header) => header.toUpperCase(),
  (header) => `Service-Signature: ${header}`,
  (header) => header.replace(/t=\d+/, (time) => `${time}123`),
  (header) => header.replace(/t=\d+,/, ''),
  (header) => header.replace(/v\d=/g, 's='),
  () => null,
)
