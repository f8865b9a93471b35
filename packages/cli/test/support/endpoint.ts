import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { serve } from '../../../../sandbox/test/support/serve.js'

export interface Received {
  readonly method: string
  readonly url: string
  /** Names and values, in the case in which they were sent. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

export interface Endpoint {
  readonly url: string
  readonly received: readonly Received[]
}

/** A server that keeps what it is sent, for the test that runs. */
export async function startEndpoint(
  answer: (res: ServerResponse, req: IncomingMessage, nth: number, body: Buffer) => void,
): Promise<Endpoint> {
  const received: Received[] = []
  const server = createServer((req, res) => {
    void buffer(req).then((body) => {
      received.push({ method: req.method!, url: req.url!, rawHeaders: req.rawHeaders, body })
      answer(res, req, received.length, body)
    })
  })
  return { url: `${await serve(server)}/webhooks`, received }
}

/** The value of a header by its exact name, as sent. */
export function rawHeader({ rawHeaders }: Received, name: string): string | undefined {
  const at = rawHeaders.indexOf(name)
  return at === -1 ? undefined : rawHeaders[at + 1]
}
