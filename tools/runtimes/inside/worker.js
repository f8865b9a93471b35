import { createAnswer } from './answer.js'

export default { fetch: createAnswer() }
