import { fetchSecret, memoryReplayStore } from '@service-signature/core'
import { FORMS } from './forms.js'
import { runPublished } from './published.js'
import { runVectors } from './vectors.js'
import { work } from './work.js'

const SECRET = 'test_signature_key'
// With every byte: a byte order mark is one of the body's characters.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** What is done with a request before the adapter gets it. */
const READS = {
  json: (request) => request.json(),
  lock: (request) => request.body.getReader(),
}

/** The endpoint of each case in ../cases.js, made by its first delivery, and what it has seen. */
const endpoints = new Map()

/**
 * - `POST /vectors`: runs the vectors that are sent
 * - `POST /published`: runs those of others, see published.js
 * - `POST /work`: see work.js
 * - `/webhooks/<form>/<number>?<options>`: an endpoint
 * - `/webhooks/<form>/<number>?seen`: what it has seen
 *
 * @param nodeHmac see published.js
 */
export async function answer(request, nodeHmac) {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/vectors') {
    const outcome = await runVectors(await request.json())
    return Response.json({ ...outcome, forms: Object.keys(FORMS) })
  }
  if (pathname === '/published') return Response.json(await runPublished(await request.json(), nodeHmac))
  if (pathname === '/work') return work(request, searchParams)
  const known = endpoints.get(pathname)
  if (searchParams.has('seen')) return Response.json(known?.seen ?? { arrived: 0, handled: [], codes: [] })
  const endpoint = known ?? open(FORMS[pathname.split('/')[2]], searchParams)
  endpoints.set(pathname, endpoint)
  endpoint.seen.arrived += 1
  await READS[searchParams.get('read')]?.(request)
  return endpoint.handle(request)
}

function open(serviceSignature, query) {
  const seen = { arrived: 0, handled: [], codes: [] }
  const numbers = ['bodyLimit', 'bodyTimeoutSeconds'].filter((name) => query.has(name))
  const baseUrl = query.get('service')
  const options = {
    secret: baseUrl === null ? SECRET : fetchSecret({ baseUrl, apiKey: 'test_api_key' }),
    onRejected: ({ code }) => seen.codes.push(code),
    ...(query.has('replay') && { replay: memoryReplayStore() }),
    ...Object.fromEntries(numbers.map((name) => [name, Number(query.get(name))])),
  }
  const handle = serviceSignature(options, ({ rawBody }) => {
    seen.handled.push(decoder.decode(rawBody))
    return new Response('handled')
  })
  return { seen, handle }
}
