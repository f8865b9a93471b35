import { createCluster } from 'redis'

/**
 * Connects to a cluster with version 6 of `redis`.
 *
 * @param {string[]} urls of several nodes
 * @param {(error: unknown) => void} onError
 */
export async function connectCluster(urls, onError = console.error) {
  const client = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    // Looks for the new master half a second after a node was lost, instead of five.
    topologyRefreshOnReconnectionAttemptStrategy: 500,
    defaults: {
      disableOfflineQueue: true,
      pingInterval: 1000,
      socket: { socketTimeout: 3000, reconnectStrategy: (retries) => Math.min(retries * 100, 1000) },
    },
  })
  client.on('error', onError)
  return client.connect()
}
