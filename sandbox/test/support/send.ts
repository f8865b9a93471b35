import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object | undefined
}

/** A request as a browser would send it: with headers that `fetch` does not let through, and the path as it is written. */
export async function send(origin: string, path: string, { body, ...sent }: Sent = {}) {
  const { method = body === undefined ? 'GET' : 'POST', headers = {} } = sent
  const content = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const setHost = headers['Host'] === undefined
  const call = request(origin, { path, method, setHost, headers: { ...content, ...headers }, agent: false })
  call.end(JSON.stringify(body))
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  let text = ''
  // The stream of changes does not end.
  if (response.headers['content-type'] === 'text/event-stream') response.destroy()
  else for await (const chunk of response.setEncoding('utf8')) text += chunk as string
  return { status: response.statusCode!, headers: response.headers, text }
}

/** What is in an envelope. */
export function dataIn({ text }: { readonly text: string }): unknown {
  return (JSON.parse(text) as { data: unknown }).data
}

export function errorsIn({ text }: { readonly text: string }): unknown {
  return (JSON.parse(text) as { status: { errors: unknown } }).status.errors
}
