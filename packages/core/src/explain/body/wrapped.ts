import type { Row } from '../case.js'
import { fromBase64, percentDecoded } from '../encoding.js'
import { enveloped } from './envelope.js'
import { printedBytes } from './printed-bytes.js'
import { bodyRow, SEE_CONTENT, text } from './row.js'
import { BodyView } from './view.js'

/** The body is there whole, in something else. */
export const wrappedRows: readonly Row[] = [
  bodyRow({
    name: 'body-base64',
    where:
      'Behind API Gateway, an ALB or a function platform, which give binary bodies as base64 (isBase64Encoded); in a queue.',
    mend: "Decode before you verify: Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8').",
    versions: SEE_CONTENT,
    *signed({ base64, text: arrived }) {
      const decoded = fromBase64(arrived ?? '')
      if (decoded !== undefined)
        yield {
          body: new BodyView(decoded),
          happened: 'the body that arrived is the base64 text of the one that was signed',
        }
      yield { ...text(base64, 'the base64 text of the body was signed, and arrived decoded'), isRare: true }
    },
  }),
  bodyRow({
    name: 'body-json-string',
    where:
      'In JSON.stringify() of what is a text already: a forwarder, a queue, a request tool, a fixture with escaped quotes.',
    mend: 'Pass the text on as it is; what was stringified twice has to be parsed once: JSON.parse(body) is the body that was signed.',
    versions: SEE_CONTENT,
    *signed({ text: arrived, json }) {
      if (arrived === undefined) return
      const inner = json === undefined ? parsed(`"${arrived}"`) : parsed(arrived)
      if (typeof inner === 'string')
        yield text(inner, 'the body that arrived is a JSON string that contains the one that was signed')
      const happened =
        'the body was signed as a JSON string, with its quotes and escapes, and arrived without'
      yield { ...text(JSON.stringify(arrived), happened), isRare: true }
    },
  }),
  bodyRow({
    name: 'body-quoted',
    where:
      "In a shell: cmd.exe and PowerShell pass the single quotes of curl -d '...' on; a .env or YAML value with quotes.",
    mend: 'Send the body from a file: curl --data-binary @body.json.',
    versions: SEE_CONTENT,
    *signed({ text: arrived = '' }) {
      const [quote = ''] = arrived.trimEnd()
      if (arrived.length > 2 && `'"\``.includes(quote) && arrived.trimEnd().endsWith(quote)) {
        yield text(arrived.trimEnd().slice(1, -1), 'the body has quotes around it that were not signed')
      }
    },
  }),
  bodyRow({
    name: 'body-form-encoded',
    where:
      'In curl --data-urlencode, a form, or a parser for application/x-www-form-urlencoded that took the JSON for a form.',
    mend: 'Send and read the body as it is, with Content-Type: application/json; put no express.urlencoded() before the verification.',
    versions: SEE_CONTENT,
    *signed({ text: arrived = '' }) {
      const value = arrived.replace(/^[\w.-]{0,64}=/, '').replace(/=$/, '')
      if (value === arrived && !arrived.includes('%')) return
      for (const signed of [percentDecoded(value.replaceAll('+', ' ')), percentDecoded(value), value]) {
        if (signed !== undefined)
          yield text(signed, 'the body arrived as a form encodes it (%7B for a brace)')
      }
    },
  }),
  bodyRow({
    name: 'body-envelope',
    where:
      'In a Lambda event, a queue message or a forwarder that puts the body into a JSON object of its own.',
    mend: 'Verify the text inside of it: event.body, JSON.parse(message).payload, and not the object that holds it.',
    versions: SEE_CONTENT,
    signed: enveloped,
  }),
  bodyRow({
    name: 'body-bytes-printed',
    where: 'In JSON.stringify(buffer), String(new Uint8Array(...)), or in Python str(request.data).',
    mend: 'Pass the Buffer or Uint8Array itself, and never a text that was made of it by JSON.stringify() or String().',
    versions: SEE_CONTENT,
    *signed({ text: arrived = '' }) {
      const bytes = printedBytes(arrived)
      if (bytes !== undefined) {
        yield {
          body: new BodyView(bytes),
          happened: 'the body that arrived is a list of the bytes that were signed, printed as text',
        }
      }
    },
  }),
]

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
