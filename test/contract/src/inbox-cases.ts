/**
 * The cases that every inbox with transactions passes.
 *
 * @module contract/inbox-cases
 */
export { inboxCases } from './inbox/cases.js'
export { lostAnswerCases } from './inbox/lost-answer-cases.js'
export {
  Gate,
  open,
  andThen,
  type Opened,
  type Rows,
  type TestConnection,
  type TestDatabase,
  type TestInbox,
} from './inbox/open.js'
export { argumentCases, optionsCases } from './inbox/options-cases.js'
export { waitingCases } from './inbox/waiting-cases.js'
export { newProof, newWebhook, sentAgain, webhookOf } from './inbox/webhooks.js'
