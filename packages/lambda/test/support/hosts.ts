import type { Ability, Host, Parser, Setup } from '@service-signature/contract'
import { serviceSignature, type LambdaHandler, type ServiceSignatureOptions } from '@service-signature/lambda'
import { startGateway, type Invoke } from './gateway.js'
import {
  functionUrl,
  httpApi,
  httpApiVersion1,
  loadBalancer,
  loadBalancerMultiValue,
  restApi,
  type Origin,
} from './origins.js'

interface Body {
  readonly body?: string | null
  readonly isBase64Encoded: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/** Middlewares that change an event: `json` parses its body, `skipped` does so only if the content type is JSON. */
const PARSERS: Readonly<Partial<Record<Parser, (invoke: Invoke) => Invoke>>> = {
  json: (invoke) => (event: Body, context) => invoke(parsed(event) as never, context),
  skipped: (invoke) => (event: Body, context) => {
    const isJson = JSON.stringify(event).includes('application/json')
    return invoke((isJson ? parsed(event) : event) as never, context)
  },
}

function parsed(event: Body): object {
  const { body, isBase64Encoded } = event
  const text = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString()
  return { ...event, body: JSON.parse(text) as unknown, isBase64Encoded: false }
}

/** A gateway passes on only complete requests, and does not report that the sender has hung up. */
const HOSTS: readonly (readonly [origin: Origin, lacks: readonly Ability[]])[] = [
  [restApi(true), ['streaming']],
  [restApi(false), ['streaming', 'every byte']],
  [httpApiVersion1, ['streaming', 'every byte']],
  [httpApi, ['streaming', 'every byte']],
  [functionUrl, ['streaming', 'every byte']],
  [loadBalancer, ['streaming', 'every byte', 'every header line']],
  [loadBalancerMultiValue, ['streaming', 'every byte']],
]

/** One host for each format of events; the first is the one that carries every byte of a body. */
export const hosts = HOSTS.map(([origin, lacks]): Host => ({
  name: `Lambda with ${origin.name}`,
  standsFor: 'transport',
  lacks,
  parsers: Object.keys(PARSERS) as Parser[],
  async start({ parser, ...setup }) {
    const handle = functionOf(setup)
    return startGateway(origin, parser === undefined ? handle : PARSERS[parser]!(handle))
  },
}))

function functionOf({ options: given, handler, status }: Setup): LambdaHandler {
  const { dispatcher, ...options } = given
  const others: ServiceSignatureOptions = options
  if (dispatcher !== undefined) return serviceSignature({ ...others, dispatcher })
  return serviceSignature(options as typeof others & { dispatcher?: never }, async (webhook) => {
    await handler(webhook)
    return { statusCode: status?.() ?? 200, body: 'handled' }
  })
}
