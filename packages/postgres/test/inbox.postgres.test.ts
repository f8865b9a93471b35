import { describe } from 'vitest'
import { SERVER_LIBRARIES, useServer } from './support/databases.js'
import { inboxCases } from './support/inbox-cases.js'

describe('over a PostgreSQL server', () => {
  const { database } = useServer()

  describe.each(SERVER_LIBRARIES)('with $name', (library) => {
    inboxCases(database(library))
  })
})
