/**
 * What an inbox is, whatever the database: its options, its keys, and the way of a delivery through a transaction. The build
 * copies it into the packages of the databases; it is not published.
 *
 * @module inbox
 */
export * from './batch-inbox.js'
export * from './connections.js'
export * from './failures.js'
export * from './handling.js'
export * from './keyed-inbox.js'
export * from './keys.js'
export * from './options.js'
export * from './own-claims.js'
export * from './sqlite-statements.js'
export * from './stored-keys.js'
export * from './synchronous-inbox.js'
export * from './transactions.js'
