// Compiled with the workspace (npm run types), never run: a wrong order of the steps of a request does not compile.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createNodeReceiver } from '@service-signature/core/node'
import { createReceiver, type Reception } from '@service-signature/core/receiver'
import { is, type Equal } from './assert.js'

declare const req: IncomingMessage
declare const res: ServerResponse
declare const body: Uint8Array

const reception = createReceiver<string>({ secret: 'test_secret' }).open({
  request: 'of any type',
  header: undefined,
  encoding: undefined,
})
is<Equal<typeof reception, Reception<string>>>()
// @ts-expect-error: the header must be checked before
void reception.verify
const checked = reception.checkHeader()
// @ts-expect-error: the adapter of this host reads the body itself
void checked.readBody()
// @ts-expect-error: the signature must be verified before
void checked.start
const delivery = await checked.verify(body)
is<Equal<Awaited<ReturnType<typeof delivery.start>>, 200 | 204 | undefined>>()
is<Equal<ReturnType<typeof reception.refuse>, Promise<unknown>>>()

const onNode = createNodeReceiver({ secret: 'test_secret' }, 'the fix').open({ request: req, req, res })
// @ts-expect-error: the header must be checked before the body is read
void onNode.readBody
const accepted = onNode.checkHeader()
void accepted.verify(await accepted.readBody(req))
is<Equal<ReturnType<typeof onNode.refuse>, Promise<unknown>>>()
