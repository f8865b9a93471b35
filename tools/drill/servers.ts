// For programs in JavaScript, which bundle this file.
export { startPostgres } from '@service-signature/contract/postgres-server'
export { startRedis } from '@service-signature/contract/redis-server'
