import type { RequestListener } from 'node:http'
import { endpointOf, Refusal, SOUND } from '../recipe.js'
import type { WeakEndpoint } from './weak-endpoint.js'

/** Endpoints that verify correctly, but answer wrongly. */
export const answers: readonly WeakEndpoint[] = [
  {
    what: 'refuses events that it does not know',
    listener: endpointOf({
      handle(body, res) {
        if (!/"type":\s*"(?:transaction\.purchase\.successful|intent\.processed)"/.test(String(body))) {
          throw new Refusal(404, 'unknown event')
        }
        SOUND.handle(body, res)
      },
    }),
    found: { loses: ['unknown event type'] },
  },
  {
    what: 'knows purchases only',
    listener: endpointOf({
      handle(body, res) {
        if (String(body).includes('intent.processed')) throw new Refusal(422, 'unknown event')
        SOUND.handle(body, res)
      },
    }),
    found: { loses: ['genuine intent'] },
  },
  {
    what: 'refuses duplicates',
    listener: refusingRepeats(),
    found: { loses: ['delivered twice'] },
  },
  {
    what: 'fails at a body that it cannot parse',
    listener: endpointOf({
      handle(body, res) {
        JSON.parse(String(body))
        res.end()
      },
    }),
    found: { fails: ['byte order mark', 'body not in JSON', 'packed body'] },
  },
  {
    what: 'fails at a body that is not UTF-8',
    listener: endpointOf({
      handle(body, res) {
        new TextDecoder('utf-8', { fatal: true }).decode(body)
        SOUND.handle(body, res)
      },
    }),
    found: { fails: ['body not in UTF-8', 'packed body'] },
  },
  {
    what: 'fails at a field that it did not expect',
    listener: endpointOf({
      handle(body, res) {
        if (String(body).includes('"__proto__"')) throw new TypeError('no such field')
        SOUND.handle(body, res)
      },
    }),
    found: { fails: ['field named __proto__'] },
  },
  {
    what: 'reveals why it refuses',
    listener: endpointOf({
      refuse({ status, message }, res) {
        res.writeHead(status).end(message)
      },
    }),
    found: { leaks: ['answers that are alike'] },
  },
  {
    what: 'reveals the right digest',
    listener: endpointOf({
      refuse({ status, digest }, res) {
        res.writeHead(status, { 'X-Expected': digest }).end('refused')
      },
    }),
    found: { leaks: ['answers without keys'] },
  },
  {
    what: 'shows the stack of the refusal',
    listener: endpointOf({
      refuse({ status }, res) {
        res.writeHead(status).end(new Refusal(status, 'refused').stack)
      },
    }),
    found: { leaks: ['answers that are alike', 'answers without stack'] },
  },
]

function refusingRepeats(): RequestListener {
  const had = new Set<string>()
  return endpointOf({
    handle(body, res) {
      if (had.has(String(body))) throw new Refusal(400, 'had before')
      had.add(String(body))
      SOUND.handle(body, res)
    },
  })
}
