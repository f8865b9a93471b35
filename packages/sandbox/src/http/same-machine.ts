import type { FastifyReply, FastifyRequest } from 'fastify'
import { isIP } from 'node:net'
import { isLoopback } from '../deliveries/target.js'
import { refusal } from './envelope.js'

/**
 * Keeps web pages off what needs no API key. A page that the user looks at can send requests to this machine; it comes
 * with its own `Origin`, or, where its name was made to lead here, with its own `Host`.
 */
export function fromSameMachine(host: string) {
  return async function fromSameMachine(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!isOurs(request.hostname, host)) {
      await reply.code(403).send(refusal(403, [{ Host: 'must be the address of this machine' }]))
    } else if (!isSameOrigin(request)) {
      await reply.code(403).send(refusal(403, [{ Origin: 'must be that of the sandbox itself' }]))
    }
  }
}

function isOurs(hostname: string, host: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (name === 'localhost' || name === host.toLowerCase() || isLoopback(name)) return true
  // Whoever listens beyond this machine is called by an address. Only a name can be made to lead here.
  return isIP(host) !== 0 && !isLoopback(host) && isIP(name) !== 0
}

function isSameOrigin({ method, headers: { origin, host } }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD' || origin === undefined) return true
  return origin === `http://${host!}`
}
