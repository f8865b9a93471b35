import type { Version } from '../versions.js'
import type { Advice, Case, Step } from './case.js'
import type { Evidence } from './evidence.js'
import type { HypothesisName, InferredHypothesis } from './names.js'
import { isAskable } from './try.js'

/** What follows from the versions that match and those that do not, where nothing more exact was found. */
interface Inference extends Step {
  readonly matches: readonly Version[]
  /** They could be tried, and nothing makes them match. */
  readonly fails: readonly Version[]
  /** It is a key that is wrong, if all that can be tried was tried. */
  readonly byExclusion?: true
}

const INFERENCES: readonly Inference[] = [
  {
    name: 'body-white-space',
    matches: ['v1', 'v2'],
    fails: ['v3'],
    happened:
      'v1 and v2 match and v3 does not, so the body that arrived differs from the one that was signed in white space alone',
  },
  {
    name: 'body-reserialized',
    matches: ['v2'],
    fails: ['v3'],
    happened:
      'v2 matches and v3 does not, so the JSON is the one that was signed, and its bytes are not: it was parsed and printed again',
  },
  {
    name: 'other-secret',
    byExclusion: true,
    matches: ['v1'],
    fails: ['v2', 'v3'],
    happened: 'v1 matches, so the body and "t" are right, and the secret is not the one that made v2 and v3',
  },
  {
    name: 'other-api-key',
    byExclusion: true,
    matches: ['v3'],
    fails: ['v1'],
    happened: 'v3 matches, so the body and "t" are right, and the API key is not the one that made v1',
  },
]

const COMPARE =
  'Compare its fingerprint with that of the key that the service has: "service-signature secret" prints it.'

export const inferredAdvice: readonly (Advice & { readonly name: InferredHypothesis })[] = [
  {
    name: 'body-white-space',
    where: 'In a parser, a forwarder, an editor or a formatter between the sender and the verifier.',
    mend: 'Verify the bytes that arrived, from before any parser or editor.',
  },
  {
    name: 'other-secret',
    where:
      'In settings that were copied from another organization or environment, or in a secret that was replaced.',
    mend: `Fetch the secret with the account's own API key: GET /api/v1/organizations/get-webhook-signature-key/ (S4.2). ${COMPARE}`,
  },
  {
    name: 'other-api-key',
    where:
      'In an account that has several API keys (S5.1), or settings of another account or of the other mode, test or live.',
    mend: `Try the other API keys of the account, or require v3 alone, which needs none: versions: ['v3']. ${COMPARE}`,
  },
  {
    name: 'keys-mixed',
    where: 'In a sender that signs its versions with different keys, in the middle of a rotation.',
    mend: "Require one version that the secret signs, versions: ['v3'], or have the sender use one secret for v2 and v3 (S6.3, S6.4).",
  },
]

/** What follows from the versions that match, in the case that supposes least. */
export function infer(evidence: Evidence, starts: readonly Case[], hasTriedAll: boolean): void {
  const cases = [...starts, ...evidence.proofs.map(({ of }) => of)]
  for (const start of cases.sort((a, b) => a.steps.length - b.steps.length)) {
    const inference = INFERENCES.find(
      (inference) => (hasTriedAll || !inference.byExclusion) && fits(inference, start),
    )
    if (inference === undefined) continue
    const { name, happened, fails } = inference
    const steps = [...start.steps, { name, happened }]
    const proven = [...start.proven, ...fails]
    evidence.proofs.push({ steps, versions: start.proven, of: { ...start, steps, proven } })
    return
  }
}

function fits({ matches, fails }: Inference, start: Case): boolean {
  return (
    matches.every((version) => start.proven.includes(version)) &&
    fails.every((version) => isAskable(version, start) && !start.proven.includes(version)) &&
    fails.some((version) => start.listed.includes(version))
  )
}

/** Whether the versions are there from which it would follow. */
export function canInfer(name: HypothesisName, starts: readonly Case[]): boolean {
  const needed = INFERENCES.filter((inference) => inference.name === name).flatMap(({ matches, fails }) => [
    ...matches,
    ...fails,
  ])
  return starts.some((start) => needed.every((version) => isAskable(version, start)))
}
