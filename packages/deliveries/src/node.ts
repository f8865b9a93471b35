/** What needs Node: files, requests and signatures. */
export { causeInAnswer, causeOfSilence, isOfSignature, isRefusal } from './answer-causes.js'
export { answerLine, answerText } from './answer-text.js'
export { isLoopback, leadsHere, lookupHere, lookupOutside, UNSPECIFIED } from './loopback.js'
export { replayRecorded, type ReplayedDelivery, type ReplayRecordedOptions } from './replay-recorded.js'
export { send, type Answer } from './send.js'
export { parseSetting, printedWith, settingsFor, withSettings, type Setting } from './set.js'
export { hasAmount, tamper, tamperBody, TAMPERINGS, type SignedBody, type Tampering } from './tamper.js'
export { vectorOf } from './vector.js'
