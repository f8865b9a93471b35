/**
 * What `service-signature sandbox`, `listen` and `trigger` do. The package `service-signature` of the same version declares them.
 *
 * @module
 */
export { listen } from './listen.js'
export { sandbox } from './sandbox.js'
export { trigger } from './trigger.js'
