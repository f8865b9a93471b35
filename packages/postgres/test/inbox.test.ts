import { describe } from 'vitest'
import { usePglite } from './support/databases.js'
import { inboxCases } from './support/inbox-cases.js'

describe('over PGlite', () => {
  inboxCases(usePglite())
})
