import { strictEqual } from 'node:assert'
import { createHmac } from 'node:crypto'
import { snippet } from '../frame.js'

const { body, header } = snippet
const [, timestamp] = /^t=(\d+),/.exec(header)
const digest = createHmac('sha256', 'test_signature_key')
  .update(Buffer.from(body).toString('base64') + timestamp)
  .digest('hex')
strictEqual(/,v3=(\w+)$/.exec(header)[1], digest)
