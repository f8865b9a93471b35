import type { Problem } from '@service-signature/core/receiver'

/** The answer to a refused delivery. */
export function responseTo({ status, headers, body }: Problem, isHttp2 = false): Response {
  // RFC 9110, 15.5.9: the rest of the body is not waited for. HTTP/2 has no such header, and Node warns about it.
  const isClosed = status === 408 && !isHttp2
  return new Response(body, { status, headers: { ...headers, ...(isClosed && { Connection: 'close' }) } })
}
