/**
 * Replaces the connection of a client of `redis` whose pings have not been answered for some time.
 *
 * @param {any} client
 */
export function replaceWhenSilent(client, milliseconds = 3000) {
  const timer = setTimeout(() => {
    // A client that is closing stays closed. One that is connecting replaces its connection itself, and emits "ready" then.
    if (!client.isOpen || !client.isReady) return
    client.destroy()
    client.connect().catch(console.error)
  }, milliseconds).unref()
  client.on('ready', () => timer.refresh())
  client.on('ping-interval', () => timer.refresh())
}
