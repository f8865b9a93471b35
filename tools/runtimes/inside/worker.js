import { answer } from './server.js'

export default { fetch: answer }
