// What every runtime serves: endpoints of the fetch adapter, what they have seen, and the vectors.
import * as core from '@service-signature/core'
import { openEndpoint } from './endpoint.js'
import { pause } from './pause.js'
import { runVectors } from './vectors.js'

/**
 * - `POST /webhooks/<setup>/<name>?service=<address>`: a delivery, for an endpoint that is made with the first one
 * - `GET /seen/<setup>/<name>?until=<what>&count=<number>`: what it has seen, when it has seen so much
 * - `POST /finish/<setup>/<name>`: lets its handler go on
 * - `POST /vectors`: runs the vectors that are sent
 * - `GET /about`: which functions the entry of core has that need no promise
 *
 * @returns {(request: Request) => Promise<Response>}
 */
export function createAnswer() {
  /** @type {Map<string, import('./endpoint.js').Endpoint>} */
  const endpoints = new Map()

  return async function answer(request) {
    const { pathname, searchParams } = new URL(request.url)
    const [, what, setup = '', name = ''] = pathname.split('/')
    if (what === 'about') return Response.json(about())
    if (what === 'vectors') {
      /** @type {unknown} */
      const files = await request.json()
      return Response.json(await runVectors(core, /** @type {import('./vectors.js').VectorFile[]} */ (files)))
    }
    const key = `${setup}/${name}`
    const endpoint = endpoints.get(key) ?? openEndpoint(setup, searchParams.get('service') ?? '')
    endpoints.set(key, endpoint)
    if (what === 'webhooks') return endpoint.receive(request)
    if (what === 'finish') endpoint.seen.isFinished = true
    else await until(endpoint.seen, searchParams)
    return Response.json(endpoint.seen)
  }
}

/**
 * The one who asks gives up in the end.
 *
 * @param {import('./setups.js').Seen} seen
 * @param {URLSearchParams} wanted
 */
async function until(seen, wanted) {
  const what = wanted.get('until')
  const count = Number(wanted.get('count'))
  if (what === null) return
  const size = () => {
    /** @type {unknown} */
    const value = seen[/** @type {keyof typeof seen} */ (what)]
    return Array.isArray(value) ? value.length : Number(value)
  }
  while (size() < count) await pause()
}

function about() {
  const verifier = core.createVerifier({ secret: 'test_signature_key' })
  return [...Object.keys(core), ...Object.keys(verifier)].filter((name) => name.endsWith('Sync')).sort()
}
