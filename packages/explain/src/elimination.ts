import type { Version } from '@service-signature/core/internal'
import type { HypothesisName } from './explain-report.js'
import { canCompare, type Advice, type Fault, type State } from './fault-rule.js'
import type { Findings } from './findings.js'
import { reprinted } from './print-rules.js'
import { traceClauses, tracesOf } from './print-traces.js'

/** Conclusions from the versions that match and those that do not, if nothing more exact was found. */
interface Inference extends Fault {
  readonly matches: readonly Version[]
  /** They could be compared, and nothing makes them match. */
  readonly fails: readonly Version[]
  /** It follows only if all single faults were tried. */
  readonly byElimination?: true
}

const INFERENCES: readonly Inference[] = [
  {
    name: 'body-not-verbatim',
    matches: ['v1', 'v2'],
    fails: ['v3'],
    happened:
      'the body that arrived differs from the one that was signed in white space alone: v1 and v2 match, v3 does not',
  },
  {
    name: 'body-not-verbatim',
    matches: ['v2'],
    fails: ['v3'],
    happened:
      'the body is the JSON that was signed, but not byte for byte (v2 matches, v3 does not): the ' +
      'white space, the spelling of numbers and letters or the order of keys changed',
  },
  {
    name: 'other-secret',
    byElimination: true,
    matches: ['v1'],
    fails: ['v2', 'v3'],
    happened: 'v1 matches, so the body and "t" are right, and the secret is not the one that made v2 and v3',
  },
  {
    name: 'other-api-key',
    byElimination: true,
    matches: ['v3'],
    fails: ['v1'],
    happened: 'v3 matches, so the body and "t" are right, and the API key is not the one that made v1',
  },
]

const COMPARE =
  'Compare its fingerprint with that of the key that the service has: "service-signature secret" prints it.'

export const inferredAdvice: readonly Advice[] = [
  { ...reprinted, name: 'body-not-verbatim' },
  {
    name: 'other-secret',
    where: 'In settings of another organization or environment, or in a secret that was replaced.',
    fix: `Fetch the secret with an API key of your organization: GET /api/v1/organizations/get-webhook-signature-key/. ${COMPARE}`,
  },
  {
    name: 'other-api-key',
    where: 'In an account with several API keys, or settings of another account or the other mode.',
    fix: `Try the other API keys of the account, or require v3 alone, which needs no API key: versions: ['v3']. ${COMPARE}`,
  },
  {
    name: 'keys-mixed',
    where: 'In a sender that signs its versions with different keys, in the middle of a rotation.',
    fix: "Require one version that the secret signs, versions: ['v3'], or have the sender use one secret for v2 and v3.",
  },
]

/** Adds the conclusions from the versions that match, in the state with the fewest faults. */
export function addInference(findings: Findings, starts: readonly State[], hasTriedAll: boolean): void {
  const states = [...starts, ...findings.list.map(({ state }) => state)]
  for (const state of states.sort((a, b) => a.faults.length - b.faults.length)) {
    const inference = INFERENCES.find(
      (inference) => (hasTriedAll || !inference.byElimination) && follows(inference, state),
    )
    if (inference === undefined) continue
    const { fails } = inference
    const happened = inference.happened + tracesOfPrinter(inference, state)
    const faults = [...state.faults, { name: inference.name, happened }]
    findings.add({ ...state, faults, proven: [...state.proven, ...fails] }, state.proven)
    return
  }
}

/** Evidence that the body was printed again, even if no digest proves it. */
function tracesOfPrinter({ name }: Inference, { body }: State): string {
  const clauses =
    name === 'body-not-verbatim' && body.json !== undefined ? traceClauses(tracesOf(body.json)) : []
  return clauses.length === 0
    ? ''
    : `; it arrived ${clauses.join(', ')}, as if it was parsed and printed again`
}

function follows({ matches, fails }: Inference, state: State): boolean {
  return (
    matches.every((version) => state.proven.includes(version)) &&
    fails.every((version) => canCompare(version, state) && !state.proven.includes(version)) &&
    fails.some((version) => state.listed.includes(version))
  )
}

/** Whether the header has the versions that the conclusion needs. */
export function canInfer(name: HypothesisName, starts: readonly State[]): boolean {
  const needed = INFERENCES.filter((inference) => inference.name === name).flatMap(({ matches, fails }) => [
    ...matches,
    ...fails,
  ])
  return starts.some((start) => needed.every((version) => canCompare(version, start)))
}
