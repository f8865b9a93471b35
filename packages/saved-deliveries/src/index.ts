export { fromBase64 } from './base64.js'
export { fieldOf, type LoadedDelivery } from './loaded-delivery.js'
export { readDeliveries } from './read-deliveries.js'
