// What frames have in common. A frame is the program around a snippet that only declares something.
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** What the snippet declares. */
export const snippet = await import(process.env.SNIPPET)

/** Answers each delivery with the status that is given for it. */
export function serve(statusOf) {
  createServer(async (request, response) => {
    const body = await buffer(request)
    try {
      response.writeHead(await statusOf(body, request)).end()
    } catch (error) {
      response.writeHead(error.status ?? 500).end()
    }
  }).listen(3000)
}

/** The value of the header. */
export const signatureOf = (request) => request.headers['service-signature']
