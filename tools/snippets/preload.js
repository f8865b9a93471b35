// Loaded before a snippet runs: whatever port it asks for, it gets a free one of this machine, and tells which.
import { once } from 'node:events'
import { Server } from 'node:net'

// eslint-disable-next-line @typescript-eslint/unbound-method -- called on its own server below
const { listen } = Server.prototype

Object.defineProperty(Server.prototype, 'listen', {
  /**
   * @this {Server}
   * @param {unknown[]} args
   * @returns {unknown}
   */
  value(...args) {
    void once(this, 'listening').then(() => process.send?.({ address: this.address() }))
    const callbacks = args.filter((arg) => typeof arg === 'function')
    return Reflect.apply(listen, this, [{ port: 0, host: '127.0.0.1' }, ...callbacks])
  },
})
