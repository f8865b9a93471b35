import { expect, it } from 'vitest'
import { refusalOf } from '../src/failures.js'

it.each([
  ["OOM command not allowed when used memory > 'maxmemory'.", 'its memory is full. Raise maxmemory.'],
  [
    "READONLY You can't write against a read only replica.",
    'it is read-only. Connect to the primary server.',
  ],
  ['NOREPLICAS Not enough good replicas to write.', 'it has too few replicas.'],
  ['LOADING Redis is loading the dataset in memory', 'it is loading its data.'],
  ['MOVED 8456 127.0.0.1:7001', 'the key is on another server of the cluster.'],
  ['NOAUTH Authentication required.', 'the client has no password.'],
  ["NOPERM User reader has no permissions to run the 'eval' command", 'the user may not run a command.'],
  ['ERR unknown command', 'ERR unknown command.'],
])('says what the server means with "%s"', (text, what) => {
  const cause = new Error(text)
  expect(refusalOf(cause)).toMatchObject({ code: 'ERR_REPLAY_STORE_UNAVAILABLE', cause })
  expect(refusalOf(cause).message).toContain(`The replay store failed: ${what}`)
})
