import { checkAnswer } from '../answers.js'
import { check } from '../broken.js'
import { formOf, optionsOf, rulesOf, SECRET, T } from '../delivery.js'
import { part } from '../input.js'
import { mutateJson } from '../mutate/json.js'
import { mutateSetup } from '../mutate/bytes.js'
import { mutateParts, withTwin } from '../mutate/parts.js'
import { relaid } from '../mutate/relay.js'
import { canonicalText, FORMS } from '../oracle/canonical.js'
import { readJson } from '../oracle/json.js'
import { saysTheSame } from '../oracle/same-values.js'
import { digestOf } from '../oracle/sign.js'
import { verdictOn } from '../oracle/verdict.js'

/** @import { Form } from '../oracle/canonical.js' */
/** @import { Trial } from '../trial.js' */
/** @import { Target } from './target.js' */

/** @type {Target} */
export const canonicalJson = {
  name: 'canonical-json',
  promise: 'v2 signs the text of S6.4 in three forms, whatever the layout, and accepts no other values',
  starts: [
    { body: '{"b":[10.0,1e-7,-0],"a":{"\\u00e9":"x y"}}', other: '{"b":[10,1E-7,0]}' },
    { body: '{"\\ud83d\\ude00":1,"\\ufffd":2,"__proto__":3,"10":4,"2":5}', other: '[]' },
  ],
  fromVector: ({ body, setup }) => ({ body, other: body, setup }),
  mutate: withTwin('body', 'other', mutateParts({ body: mutateJson, setup: mutateSetup }, ['body', 'body'])),

  async run(input, trial) {
    const body = part(input, 'body')
    const other = part(input, 'other')
    await Promise.all(FORMS.map((form) => checkText(body, form, trial)))

    const rules = {
      ...rulesOf(input),
      secrets: [SECRET],
      versions: [/** @type {const} */ ('v2')],
      now: T * 1000,
    }
    const digest = digestOf('v2', SECRET, body, String(T), formOf(input))
    const header = `t=${T},v2=${digest ?? '0'.repeat(64)}`
    const verifier = trial.implementation.createVerifier(optionsOf(rules))
    const root = readJson(body)
    /** @type {Uint8Array[]} */
    const layouts = root === undefined ? [] : [relaid(root, body.length)]
    for (const sent of [body, other, ...layouts]) {
      const answer = await trial.attempt('verify', () => verifier.verify(sent, header))
      const verdict = verdictOn(rules, sent, header, { needsJson: true })
      checkAnswer('verify', answer, verdict, rules, sent)
      if (answer.error === undefined) check(saysTheSame(body, sent), 'verify accepted other values')
      else check(!layouts.includes(sent), `verify refused another layout: ${answer.error.code}`)
    }
  },
}

/**
 * That core signs the text that others make.
 *
 * @param {Uint8Array} body
 * @param {Form} form
 * @param {Trial} trial
 */
async function checkText(body, form, trial) {
  const text = canonicalText(body, form)
  const [signed, opinion] = await Promise.all([
    trial.attempt('sign', () =>
      trial.implementation.sign(body, {
        secret: SECRET,
        versions: ['v2'],
        canonicalForm: form,
        timestamp: T,
      }),
    ),
    trial.peer === undefined ? text : trial.peer.canonicalText(body, form),
  ])
  check(opinion === text, `the two implementations that are not core differ over the form ${form}`)
  if (text === undefined) {
    check(signed.error?.code === 'ERR_BODY_NOT_JSON', `sign must refuse this in the form ${form}`)
  } else {
    const expected = `t=${T},v2=${digestOf('v2', SECRET, body, String(T), form) ?? ''}`
    check(signed.value === expected, `sign makes another text in the form ${form}`)
  }
}
