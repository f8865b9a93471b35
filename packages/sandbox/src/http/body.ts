import type { FastifyInstance } from 'fastify'
import { invalid } from '../model/refusal.js'

const MEBIBYTE = 1024 * 1024
/** Deeper than any body needs to be, and shallow enough to be printed again. */
const MAX_DEPTH = 64

export const BODY_LIMIT = MEBIBYTE

/** JSON is all that is read. What is sent as something else is refused with 415, so that no form of a page gets in. */
export function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, parse(bytes as Buffer))
    } catch {
      // The error of JSON.parse quotes the text, which may contain a card number.
      done(invalid('body', `is not JSON, or is nested deeper than ${MAX_DEPTH} levels`))
    }
  })
}

function parse(bytes: Buffer): unknown {
  // A call that needs no body may come with a Content-Type all the same.
  if (bytes.length === 0) return undefined
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  if (!isShallow(value, MAX_DEPTH)) throw new RangeError('too deep')
  return value
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((item) => isShallow(item, levels - 1))
}
