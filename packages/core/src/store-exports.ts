// What replay stores and inboxes share, on every runtime.
export { numberOption, ownOptions } from './shared/check-options.js'
export { checkReplayKey, checkReplayKeyOption } from './shared/replay-key.js'
export { within } from './shared/within.js'
export { checkStoreOptions, type ReplayStoreOptions } from './shared/store-options.js'
