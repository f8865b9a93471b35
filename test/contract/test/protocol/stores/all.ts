import type { StoreKind } from '../simulation.js'
import { IN_D1 } from './fake-d1.js'
import { IN_DYNAMODB } from './fake-dynamodb.js'
import { IN_MYSQL } from './fake-mysql.js'
import { IN_OBJECTS } from './fake-objects.js'
import { IN_POSTGRES } from './fake-postgres.js'
import { IN_REDIS } from './fake-redis.js'
import { IN_SQLITE } from './fake-sqlite.js'
import { IN_MEMORY } from './in-memory.js'

/** Every store and inbox, in each of its uses. */
export const STORES: readonly StoreKind[] = [
  IN_MEMORY,
  IN_REDIS,
  ...IN_POSTGRES,
  ...IN_MYSQL,
  ...IN_DYNAMODB,
  ...IN_D1,
  IN_OBJECTS,
  ...IN_SQLITE,
]
