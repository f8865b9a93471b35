// Netlify calls the function itself; this is for a try without its command line.
import webhooks from './netlify/functions/webhooks.mjs'

export default { fetch: (request) => webhooks(request, {}) }
