import { endpointOf } from './recipe.js'

/** Accepts stale deliveries, loses events that are not purchases, and reveals why it refuses. */
export const partlyWeak = endpointOf({
  isFresh: () => true,
  handle(body, res) {
    res.writeHead(String(body).includes('"intent.processed"') ? 500 : 204).end()
  },
  refuse({ status, message }, res) {
    res.writeHead(status).end(message)
  },
})
