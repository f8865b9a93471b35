import { answer } from './server.js'

export default { fetch: (request) => answer(request) }
