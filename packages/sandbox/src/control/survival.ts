import Type from 'typebox'
import { listOf, success } from '../http/envelope.js'
import { Operations, type App } from '../http/operation.js'
import { invalid } from '../model/refusal.js'
import { exactly, flag, oneOf, optionalFlag, orNull, text, textOrNull, whole } from '../schema.js'
import type { Service } from '../service.js'
import {
  SURVIVAL_RUNS,
  SURVIVAL_OUTCOMES,
  SURVIVAL_TEST_NAMES,
  type SurvivalTestName,
} from '../store/records.js'
import { SURVIVAL_TESTS } from '../survival/survival-tests.js'

const verdict = exactly({
  outcome: oneOf(SURVIVAL_OUTCOMES, {
    description: 'ask: only you can know. stopped: the test could not be made',
  }),
  title: text,
  detail: Type.String({ description: 'The evidence' }),
  fix: textOrNull,
  unseen: orNull(text, { description: 'What the answers of an endpoint cannot show' }),
  command: orNull(text, { description: 'What answers that' }),
  deliveries: Type.Array(text, { description: 'Those to look at' }),
  audit: orNull(text, { description: 'The audit that has the details' }),
})

export const survivalTestSchema = exactly(
  {
    test: oneOf(SURVIVAL_TEST_NAMES),
    title: text,
    sends: text,
    needs_consent: Type.Boolean({ description: 'Whether it must be started with "allow_remote"' }),
    last_run: Type.Union([
      exactly({
        done: Type.Integer({ description: 'How many deliveries were answered' }),
        total: whole,
        is_running: flag,
        verdict: Type.Union([verdict, Type.Null()], { description: 'Null until it has ended' }),
      }),
      Type.Null(),
    ]),
  },
  { $id: 'SurvivalTest' },
)

/** Tests of what the endpoint of a merchant must survive. */
export function survival(app: App, service: Service): void {
  const operations = new Operations(app)

  operations.add(
    'POST /survival/',
    {
      id: 'startSurvivalTest',
      summary: 'Start a test of what an endpoint must survive; one at a time for an address',
      body: exactly({
        url: Type.String({ description: 'The address of the endpoint' }),
        test: oneOf(SURVIVAL_TEST_NAMES),
        allow_remote: optionalFlag('Needed for a burst at an endpoint that is not on this machine'),
      }),
      data: exactly({ id: text }),
      refusals: [409],
    },
    ({ body: { url, test, allow_remote: isAllowed = false }, isTrusted }) => {
      service.targets.check(url, { isTrusted }, 'url')
      if (needsConsent(service, url, test) && !isAllowed) {
        throw invalid('allow_remote', 'must be true for a burst at an endpoint that is not on this machine')
      }
      return success({ id: service.survival.start(url, test).id })
    },
  )

  operations.add(
    'GET /survival/',
    {
      id: 'listSurvivalTests',
      summary: 'The tests of what an endpoint must survive, each with its last run',
      query: Type.Object({ url: Type.String({ description: 'The address of the endpoint' }) }),
      items: survivalTestSchema,
    },
    ({ query: { url }, isTrusted }) => {
      service.targets.check(url, { isTrusted }, 'url')
      return listOf(SURVIVAL_TEST_NAMES.map((test) => viewTest(service, url, test)))
    },
  )
}

function needsConsent({ targets }: Service, url: string, test: SurvivalTestName): boolean {
  return test === 'burst' && !targets.isHere(url)
}

function viewTest(service: Service, url: string, test: SurvivalTestName) {
  const { title, sends, total } = SURVIVAL_TESTS[test]
  const last = service.store.newestFirst(SURVIVAL_RUNS).find((run) => run.url === url && run.test === test)
  return {
    test,
    title,
    sends,
    needs_consent: needsConsent(service, url, test),
    last_run:
      last === undefined
        ? null
        : {
            done: last.done,
            total,
            is_running: last.verdict === undefined,
            verdict: last.verdict ?? null,
          },
  }
}
