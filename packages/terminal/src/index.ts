export { asUsage, EXIT, isExitError, RefusedError, UnreachableError, UsageError } from './exit.js'
export { placeOf, readInput, STDIN } from './input.js'
export { processIo, untilSignal, type Io, type ProcessStreams, type Signals } from './io.js'
export { keysFor, missingKey, readKey, readKeyFile, readKeys } from './keys.js'
export type { KeyName, KeyOptions, Keys } from './keys.js'
export { inLines, paint, print, printJson, remark } from './output.js'
export { authorizationFor, HOW_TO_PASS_TOKEN, readSandboxToken } from './sandbox-token.js'
export {
  count,
  milliseconds,
  offsetSeconds,
  oneOf,
  positiveSeconds,
  unixTime,
  versionList,
} from './values.js'
