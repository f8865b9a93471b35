// What replay stores and inboxes share, on every runtime.
export { numberOption, ownOptions } from './check-options.js'
export { checkReplayKey, checkReplayKeyOption, within } from './replay/once.js'
export { checkStoreOptions, type ReplayStoreOptions } from './replay/store.js'
