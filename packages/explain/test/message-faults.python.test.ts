import { it } from 'vitest'
import { hmac, secret, t } from './support/genuine.js'
import { expectFound } from './support/mistake.js'
import { python } from './support/places.js'

it('message-white-space: json.dumps(sort_keys=True) with the spaces that it puts', async () => {
  const body = '{"b":"x y","a":[1,2]}'
  const program = 'import json,sys; print(json.dumps(json.load(sys.stdin), sort_keys=True), end="")'
  const header = `t=${t},v2=${hmac(secret, python(program, body).toString() + t)}`
  await expectFound({ body, header, options: { secret, versions: ['v2'] } }, 'message-white-space')
})
