import { fromBase64 } from '../encoding.js'
import { COMPACT, SPACED } from '../json/print.js'
import type { Member } from '../json/tree.js'
import { text, type SignedBodies } from './row.js'
import { BodyView } from './view.js'

/** What gateways, queues and forwarders call what they carry. */
const NAMES = /^"(?:body|rawBody|raw_body|payload|data|event|content|message)"$/i
const MAX_MEMBERS = 4

const HAPPENED = 'the body that arrived is a JSON object that holds the one that was signed'

/** What may have been signed, if the body that arrived has it as a member. */
export function* enveloped({ json }: BodyView): SignedBodies {
  const tree = json?.tree
  if (json === undefined || tree?.kind !== 'object') return
  const members = tree.members.filter(({ key }) => NAMES.test(key.text)).slice(0, MAX_MEMBERS)
  for (const { value } of members) {
    if (value.kind !== 'token') {
      for (const layout of [SPACED, COMPACT])
        yield text(json.part(value)(layout)!, `${HAPPENED}, printed again`)
    } else if (value.token.kind === 'string') {
      yield* contained(value.token)
    }
  }
}

function* contained(token: Member['key']): SignedBodies {
  const inner = JSON.parse(token.text) as string
  yield text(inner, `${HAPPENED} as a text`)
  const decoded = fromBase64(inner)
  if (decoded !== undefined) yield { body: new BodyView(decoded), happened: `${HAPPENED} as base64` }
}
