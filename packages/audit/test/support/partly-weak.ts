import { endpointOf } from './recipe.js'

/** Accepts what is stale, loses what is not a purchase, and says why it refuses. */
export const partlyWeak = endpointOf({
  isFresh: () => true,
  handle(body, res) {
    res.writeHead(String(body).includes('"intent.processed"') ? 500 : 204).end()
  },
  refuse({ status, message }, res) {
    res.writeHead(status).end(message)
  },
})
