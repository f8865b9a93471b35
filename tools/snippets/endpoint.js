// What an endpoint is put through: it refuses what is forged, takes what is genuine, and prints what it says that it prints.
import { genuine, refused, send } from './deliveries.js'

/** The signing secrets, by the variables in which endpoints find them. */
export const KEYS = {
  WEBHOOK_SECRET: 'test_signature_key',
  BERLIN_SECRET: 'test_key_of_berlin',
  MADRID_SECRET: 'test_key_of_madrid',
}

/**
 * Forged and genuine deliveries, for each path where the snippet takes them.
 *
 * @param {import('./program.js').Program} program
 * @param {import('./snippets.js').Snippet} snippet
 * @param {string} fetched the secret that the payment service has
 */
export async function deliver(program, { block, anatomy }, fetched) {
  const { log, warn } = anatomy.prints
  const origin = `http://127.0.0.1:${await program.port()}`
  const guarded = anatomy.paths.filter((path) => path.includes('webhook'))
  const others = guarded.length > 0 ? anatomy.paths.filter((path) => !guarded.includes(path)) : []
  for (const path of others)
    await expectStatus([200], send(origin + path, UNSIGNED), 'a route that is not guarded')
  const paths = [guarded, anatomy.paths].find((some) => some.length > 0) ?? ['/webhooks']
  for (const path of paths) {
    const secret = block.code.includes('fetchSecret(') ? fetched : secretOf(path)
    for (const delivery of refused(secret))
      await expectStatus([401], send(origin + path, delivery), 'a forgery')
    // It knows that key, but not on this path.
    for (const other of paths.filter((each) => secretOf(each) !== secretOf(path)))
      await expectStatus([401], send(origin + path, genuineOne(secretOf(other))), 'the key of another path')
    const deliveries = genuine(secret)
    for (const delivery of deliveries)
      await expectStatus([200, 202, 204], send(origin + path, delivery), 'the genuine')
    if (!anatomy.handlesOnce) continue
    for (const delivery of deliveries)
      await expectStatus([200], send(origin + path, delivery), 'what comes again')
  }
  await program.printed(
    ({ stdout, stderr }) => log.every((each) => each.test(stdout)) && warn.every((each) => each.test(stderr)),
    String([...log, ...warn]),
  )
  const lines = program.output.stdout.split('\n')
  const most = 3 * paths.length
  for (const each of log) {
    const count = lines.filter((line) => each.test(line)).length
    if (count > most)
      throw new Error(`it handled ${count} deliveries, and ${most} are genuine:\n${program.output.stdout}`)
  }
  if (/\bundefined\b/.test(program.output.stdout))
    throw new Error(`it prints "undefined":\n${program.output.stdout}`)
  if (program.output.stdout.includes('forged')) throw new Error('it handled what is forged')
}

const UNSIGNED = { body: '{}', signature: undefined }

/** @param {string} path */
function secretOf(path) {
  if (path === '/berlin') return KEYS.BERLIN_SECRET
  return path === '/madrid' ? KEYS.MADRID_SECRET : KEYS.WEBHOOK_SECRET
}

/** @param {string} secret */
function genuineOne(secret) {
  return /** @type {import('./deliveries.js').Delivery} */ (genuine(secret)[0])
}

/**
 * @param {readonly number[]} expected
 * @param {Promise<number>} answer
 * @param {string} what
 */
async function expectStatus(expected, answer, what) {
  const status = await answer
  if (!expected.includes(status)) throw new Error(`${what}: answered ${status}, not ${expected.join(' or ')}`)
}
