import * as core from '@service-signature/core'
import { explain } from '@service-signature/explain'
import { secret, timestamp } from './deliveries.js'
import { runFetch } from './fetch.js'
import { FORMS } from './forms.js'
import { Outcome } from './outcome.js'
import { runVectors } from './vectors.js'

/**
 * What the endpoint of one case in ../sockets.js has seen.
 *
 * @typedef {{ arrived: number, handled: string[], codes: string[] }} Seen
 * @type {Map<string, { seen: Seen, handle: (request: Request) => Promise<Response> }>}
 */
const endpoints = new Map()

/**
 * - `POST /suite`: runs the vectors that are sent, and the cases of the fetch adapter in each of its forms
 * - `POST /webhooks/<form>/<name>?secret=<address of the payment service>`: an endpoint, made by its first delivery
 * - `GET /webhooks/<form>/<name>`: what it has seen
 *
 * @param {Request} request
 */
export async function answer(request) {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/suite') {
    const vectors = new Outcome()
    await runVectors(core, /** @type {import('./vectors.js').VectorFile[]} */ (await request.json()), vectors)
    /** @type {Record<string, Outcome>} */
    const cases = {}
    for (const [form, serviceSignature] of Object.entries(FORMS)) {
      cases[form] = new Outcome(`${form}: `)
      await runFetch({ core, explain, serviceSignature }, cases[form])
    }
    return Response.json({ vectors, cases })
  }
  const known = endpoints.get(pathname)
  if (request.method === 'GET') return Response.json(known?.seen ?? { arrived: 0, handled: [], codes: [] })
  const endpoint = known ?? open(pathname.split('/')[2], searchParams.get('secret'))
  endpoints.set(pathname, endpoint)
  endpoint.seen.arrived += 1
  return endpoint.handle(request)
}

/**
 * @param {string | undefined} form
 * @param {string | null} baseUrl
 */
function open(form = '', baseUrl) {
  /** @type {Seen} */
  const seen = { arrived: 0, handled: [], codes: [] }
  const serviceSignature = FORMS[form]
  if (serviceSignature === undefined) throw new Error(`There is no form "${form}"`)
  const handle = serviceSignature(
    {
      secret: baseUrl === null ? secret : core.fetchSecret({ baseUrl, apiKey: 'test_api_key' }),
      now: () => timestamp * 1000,
      bodyLimit: 2048,
      bodyTimeoutSeconds: 0.5,
      onRejected: ({ code }) => void seen.codes.push(code),
    },
    ({ rawBody }) => {
      seen.handled.push(new TextDecoder().decode(rawBody))
      return new Response('handled')
    },
  )
  return { seen, handle }
}
