export { fromBase64 } from './base64.js'
export { fieldOf, type LoadedDelivery } from './loaded-delivery.js'
export { printable, printableJson, printableLines } from './printable.js'
export { readDeliveries } from './read-deliveries.js'
