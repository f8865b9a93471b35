import * as core from '@service-signature/core'
import * as explain from '@service-signature/core/explain'
import * as receiver from '@service-signature/core/receiver'
import * as testing from '@service-signature/core/testing'

/**
 * What is fuzzed. It is handed to the targets, so that the tests of the fuzzer can hand them one with a fault.
 *
 * @typedef {Pick<typeof core, 'createDispatcher' | 'createVerifier' | 'formatSignatureHeader'
 *   | 'memoryReplayStore' | 'parseSignatureHeader' | 'WebhookError'>
 *   & Pick<typeof explain, 'explain' | 'formatReport'>
 *   & Pick<typeof receiver, 'createReceiver' | 'problemOf'>
 *   & Pick<typeof testing, 'sign'>} Implementation
 */

/** @type {Implementation} */
export const implementation = { ...core, ...explain, ...receiver, ...testing }
