import { HELP, readArguments } from './arguments.js'
import { Campaign } from './campaign.js'
import { readCorpus, selected, writeCorpus } from './corpus.js'
import { startPeer } from './oracle/python.js'
import { Places } from './places.js'
import { count, reportFinding, summaryOf } from './report.js'
import { readVectors } from './vectors.js'

/** @import { Arguments } from './arguments.js' */
/** @import { Finding } from './campaign.js' */
/** @import { Input } from './input.js' */
/** @import { Implementation } from './implementation.js' */
/** @import { Peer } from './oracle/python.js' */
/** @import { Target } from './targets/target.js' */
/** @import { VectorInput } from './vectors.js' */

/**
 * What the program has around it.
 *
 * @typedef {object} World
 * @property {Implementation} implementation
 * @property {(text: string) => void} print
 * @property {((text: string) => void) | undefined} showProgress on a terminal
 * @property {AbortSignal} signal
 * @property {boolean} isGuided by the code that inputs reach
 * @property {() => number} clock in milliseconds
 */

/**
 * @param {readonly string[]} argv
 * @param {World} world
 * @returns {Promise<number>} the exit code
 */
export async function main(argv, world) {
  /** @type {Arguments} */
  let options
  try {
    options = readArguments(argv)
  } catch (error) {
    world.print(`${error instanceof Error ? error.message : ''}\n\n${HELP}`)
    return 2
  }
  if (options.help) {
    world.print(HELP)
    return 0
  }
  const peer = startPeer()
  if (peer === undefined)
    world.print('LEFT OUT: no python3 here, so nothing is compared with the script of the vectors.')
  try {
    return await fuzz(options, world, peer)
  } finally {
    peer?.close()
  }
}

/**
 * @param {Arguments} options
 * @param {World} world
 * @param {Peer | undefined} peer
 */
async function fuzz(options, world, peer) {
  const { targets, seed, input } = options
  if (input === undefined) world.print(`seed ${seed}, ${targets.map(({ name }) => name).join(', ')}`)
  const vectors = input === undefined ? readVectors() : []
  let findings = 0
  for (const target of targets) {
    if (world.signal.aborted) break
    const { campaign, finding, summary } = await runTarget(target, options, world, { peer, vectors })
    world.print(summary)
    if (finding === undefined) continue
    findings++
    world.print(reportFinding(campaign, finding, { seed, folder: options.findings }))
  }
  if (world.signal.aborted) world.print('interrupted')
  world.print(findings === 0 ? 'nothing was found' : `${findings} found`)
  if (findings > 0) return 1
  return world.signal.aborted ? 130 : 0
}

/**
 * @param {Target} target
 * @param {Arguments} options
 * @param {World} world
 * @param {{ peer: Peer | undefined, vectors: readonly VectorInput[] }} others what is asked and used besides
 */
async function runTarget(target, options, world, others) {
  const { clock, implementation, signal } = world
  const { peer } = others
  const vectors = others.vectors.map((vector) => target.fromVector(vector))
  const places = world.isGuided ? Places.open() : undefined
  const campaign = new Campaign(target, { implementation, peer, places, clock }, options.seed)
  const start = clock()
  /** @type {Finding | undefined} */
  let finding
  if (options.input === undefined) {
    finding = await explore(campaign, vectors, options, world)
    if (finding === undefined && options.keep && !signal.aborted) await keepCorpus(campaign, vectors, world)
  } else {
    finding = await campaign.replay([options.input])
  }
  places?.close()
  const summary = summaryOf(campaign, { milliseconds: clock() - start, reached: places?.count })
  return { campaign, finding, summary }
}

/**
 * The corpus first, then what is made of it.
 *
 * @param {Campaign} campaign
 * @param {readonly Input[]} vectors
 * @param {Arguments} options
 * @param {World} world
 * @returns {Promise<Finding | undefined>}
 */
async function explore(campaign, vectors, { budget, targets }, { clock, signal, showProgress }) {
  const start = clock()
  const end = 'seconds' in budget ? start + (1000 * budget.seconds) / targets.length : Infinity
  const corpus = readCorpus(campaign.target)
  const known = await campaign.replay(corpus, () => signal.aborted)
  if (known !== undefined) return known
  return campaign.run(
    corpus,
    vectors,
    (inputs) => signal.aborted || clock() >= end || ('inputs' in budget && inputs >= budget.inputs),
    async () => {
      const { inputs, target, tools } = campaign
      const speed = count(Math.round((1000 * inputs) / (clock() - start)))
      showProgress?.(
        `${target.name}: ${count(inputs)} inputs, ${speed}/s, ${tools.places?.count ?? 0} places`,
      )
      // Lets Ctrl-C come through.
      await new Promise((resolve) => setImmediate(resolve))
    },
  )
}

/**
 * @param {Campaign} campaign
 * @param {readonly Input[]} vectors
 * @param {World} world
 */
async function keepCorpus({ target, tools, kept }, vectors, { print }) {
  const places = Places.open()
  const selection = new Campaign(target, { ...tools, places }, 0)
  const [begin, all] = [readCorpus(target), [...kept, ...vectors]]
  // What there is to begin with need not be kept.
  for (const input of begin.slice(0, target.starts.length)) await selection.reachesNew(input)
  const inputs = await selected([...begin.slice(target.starts.length), ...all], (input) =>
    selection.reachesNew(input),
  )
  places.close()
  writeCorpus(target, inputs)
  print(`${target.name}: ${inputs.length} inputs kept`)
}
