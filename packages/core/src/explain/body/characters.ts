import type { Row } from '../case.js'
import { joined } from '../encoding.js'
import { misread } from './charset.js'
import { bodyRow, SEE_CONTENT, SEE_WHITE_SPACE, text, type SignedBodies, type SignedBody } from './row.js'
import { BodyView } from './view.js'

const MARK = [0xef, 0xbb, 0xbf]

/** The text is the same, its bytes are not: white space at the ends, line breaks, byte order mark, charset. */
export const characterRows: readonly Row[] = [
  bodyRow({
    name: 'body-trailing-newline',
    where:
      'In a file that an editor or "echo" ended with a line break; in curl --data @file, which takes line breaks away; ' +
      'in code that trims what it reads.',
    mend: 'Send and verify the bytes as they are: printf %s instead of echo, curl --data-binary @file, no trim().',
    versions: SEE_WHITE_SPACE,
    *signed({ bytes }) {
      yield* withoutWhiteSpaceAtEnds(bytes)
      yield {
        body: new BodyView(joined(bytes, [0x0a])),
        happened: 'the line feed (0x0a) at the end of the body was signed, and is gone',
      }
      yield {
        body: new BodyView(joined(bytes, [0x0d, 0x0a])),
        happened: 'the CRLF (0x0d 0x0a) at the end of the body was signed, and is gone',
      }
    },
  }),
  bodyRow({
    name: 'body-line-endings',
    where:
      'On Windows: git with core.autocrlf, an editor, a template with CRLF; or in a form field, which sends CRLF.',
    mend: 'Keep the body byte for byte: "*.json -text" in .gitattributes for fixtures, and no text mode where it is read or written.',
    versions: SEE_CONTENT,
    *signed({ text: arrived }) {
      if (arrived?.includes('\n') !== true) return
      const unix = arrived.replaceAll('\r\n', '\n')
      yield text(
        unix,
        'the body was signed with LF (0x0a) at its line ends, and arrived with CRLF (0x0d 0x0a)',
      )
      yield text(
        unix.replaceAll('\n', '\r\n'),
        'the body was signed with CRLF (0x0d 0x0a) at its line ends, and arrived with LF (0x0a)',
      )
    },
  }),
  bodyRow({
    name: 'body-byte-order-mark',
    where:
      'In a file that a Windows editor or PowerShell saved as "UTF-8 with BOM"; or in a decoder that takes the mark ' +
      'away (TextDecoder, response.text()).',
    mend: 'Save files as UTF-8 without a byte order mark, and verify the bytes, not a decoded text.',
    versions: SEE_CONTENT,
    *signed({ bytes }) {
      const hasMark = MARK.every((byte, at) => bytes[at] === byte)
      yield hasMark
        ? {
            body: new BodyView(bytes.subarray(MARK.length)),
            happened: 'the body has a byte order mark (0xef 0xbb 0xbf) at its start that was not signed',
          }
        : {
            body: new BodyView(joined(MARK, bytes)),
            happened: 'the byte order mark (0xef 0xbb 0xbf) at the start of the body was signed, and is gone',
            isRare: true,
          }
    },
  }),
  bodyRow({
    name: 'body-charset',
    where:
      'In code that reads the body as "latin1", "binary" or "ascii" and writes it as UTF-8; in a database or file of ' +
      'another charset; in PowerShell, whose ">" writes UTF-16.',
    mend: "Do not decode the body before it is verified: collect its Buffers and Buffer.concat() them; no setEncoding(), no toString('latin1').",
    versions: SEE_CONTENT,
    signed: misread,
  }),
]

function* withoutWhiteSpaceAtEnds(bytes: Uint8Array): SignedBodies {
  let end = bytes.length
  while (isWhiteSpace(bytes[end - 1])) end--
  let start = 0
  while (start < end && isWhiteSpace(bytes[start])) start++
  const after = bytes.length - end
  if (bytes.at(-1) === 0x0a) {
    const [length, what] = bytes.at(-2) === 0x0d ? [2, 'CRLF (0x0d 0x0a)'] : [1, 'a line feed (0x0a)']
    yield without(bytes.subarray(0, -length), `${what} at its end`)
  }
  if (after > 0) yield without(bytes.subarray(0, end), `white space at its end (${after} bytes)`)
  if (start > 0) {
    yield without(bytes.subarray(start), `white space at its start (${start} bytes)`)
    yield without(bytes.subarray(start, end), `white space at both ends (${start + after} bytes)`)
  }
}

function without(signed: Uint8Array, what: string): SignedBody {
  return { body: new BodyView(signed), happened: `the body has ${what} that was not signed` }
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
