/**
 * The one suite of cases that every adapter passes, over real sockets.
 *
 * @module
 */
export { contract, transportContract } from './contract.js'
export { OTHER, WEBHOOKS, type Ability, type Host, type Parser, type Running, type Setup } from './host.js'
export { listen } from './listen.js'
