import express, { type RequestHandler } from 'express'
import { createHmac } from 'node:crypto'
import { secret } from '../truth.js'
import type { WeakEndpoint } from './weak-endpoint.js'

/** Endpoints like those on pages about webhooks. */
export const onExpress: readonly WeakEndpoint[] = [
  {
    what: 'prints req.body again, and compares with ===',
    listener: appOf(express.json(), (req, res) => {
      const { t, v3 } = elementsOf(req.headers['service-signature'])
      const digest = hmac(Buffer.from(JSON.stringify(req.body)).toString('base64') + t!)
      res.sendStatus(v3 === digest ? 200 : 401)
    }),
    found: {
      accepts: [
        'tampered white space',
        'tampered encoding',
        'stale by an hour',
        'time 0',
        'four minutes ahead',
        'ten years ahead',
        'element twice',
        'header sent twice',
      ],
      loses: [
        'escaped letters',
        'number 10.0',
        'number over 2^53',
        'keys in odd order',
        'pretty-printed body',
        'line break at the end',
        'body of 500 KB',
        'other content type',
      ],
      leaks: ['answers without stack'],
      fails: ['forged 64 MB', 'nested 20,000 deep'],
    },
  },
  {
    what: 'has express.raw() for JSON only, a loose parser, and throws',
    listener: appOf(express.raw({ type: 'application/json' }), (req, res) => {
      const { t, v3 } = elementsOf(req.headers['service-signature'])
      if (Date.now() / 1000 - parseInt(t!) > 300) throw new Error('Timestamp outside the tolerance zone')
      const digest = hmac((req.body as Buffer).toString('base64') + String(parseInt(t!)))
      if (v3 !== digest) throw new Error(`No signature is the expected one, ${digest}`)
      res.json({ received: true })
    }),
    found: {
      accepts: [
        'tampered time',
        'four minutes ahead',
        'ten years ahead',
        'time with letters',
        'element twice',
        'header sent twice',
      ],
      loses: ['body of 500 KB', 'other content type'],
      leaks: ['answers without keys', 'answers without stack'],
      fails: [
        'no signature',
        'empty signature',
        'junk signature',
        'time without digests',
        'digests without a time',
        'key of somebody else',
        'key that is empty',
        'key that is missing',
        'key that was decoded',
        'key with a line break',
        'tampered amount',
        'tampered byte',
        'tampered digest',
        'tampered number 10.0',
        'tampered white space',
        'tampered key order',
        'tampered encoding',
        'stale by an hour',
        'stale, with a new time',
        'time 0',
        'downgrade to v1',
        'downgrade to v2',
        'downgrade, wrong digest',
        'digest of v2 as v3',
        'digest in capitals',
        'digest of other length',
        'forged 64 MB',
        'packed body',
      ],
    },
  },
]

function appOf(...handlers: readonly RequestHandler[]): express.Express {
  const app = express()
  app.post('/webhooks', ...handlers)
  return app
}

function elementsOf(header: unknown): Readonly<Partial<Record<string, string>>> {
  const elements = String(header)
    .split(',')
    .map((element) => element.split('='))
  return Object.fromEntries(elements) as Readonly<Record<string, string>>
}

function hmac(message: string): string {
  return createHmac('sha256', secret).update(message).digest('hex')
}
