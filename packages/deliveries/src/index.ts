/** What browsers can run, too. The rest is in `node.ts`. */
export { curlOf } from './curl.js'
export { fieldOf, fromBase64, parsedJson, type AttemptReport, type SavedDelivery } from './delivery.js'
export { fixtureName, fixtureOf } from './fixture.js'
export { FORGERIES, reprint, STALE_SECONDS, type Forgery } from './forgery.js'
export { harOf } from './har.js'
export { printable, printableJson, printableLines, wrapped } from './printable.js'
export { signatureInLines, withoutChunks } from './raw-request.js'
export { readDeliveries } from './read-deliveries.js'
