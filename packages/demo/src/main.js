// The sandbox and a merchant's server beside it, in one process: npm run demo
import { startSandbox } from '@service-signature/sandbox'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startEndpoint } from './endpoint.js'
import { createMerchant } from './merchant.js'
import { tell } from './story.js'

const USAGE = `npm run demo -- [options]

  --once            end when the story is told: 0 if all went as it should, 1 otherwise
  --port <number>   where the sandbox listens; default: any port that is free
  --help            print this
`
const FAILURE = 1
const WRONG_USE = 2

/** @returns {Promise<number>} the exit code */
async function main() {
  const settings = readArguments()
  if (typeof settings === 'number') return settings

  const sandbox = await startSandbox({ port: settings.port })
  const service = { baseUrl: sandbox.url, apiKey: sandbox.apiKeys.account }
  const endpoint = await startEndpoint(service)
  console.log(`The payment service, in test mode:  ${sandbox.url}`)
  console.log(`A merchant's endpoint, in Express:  ${endpoint.url}`)

  const faults = await tell({ sandbox, endpoint, merchant: createMerchant(service) })
  console.log(faults === 0 ? '\nAll went as it should.' : `\nNot as it should: ${faults} of these scenes.`)
  if (!settings.once) {
    console.log(`\nAll of it is to be seen at ${sandbox.url} until you press Ctrl+C.`)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  }
  await endpoint.close()
  await sandbox.close()
  return faults === 0 ? 0 : FAILURE
}

/** @returns {{ once: boolean, port: number } | number} or the exit code, where there is nothing to start */
function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        once: { type: 'boolean', default: false },
        port: { type: 'string', default: '0' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(USAGE)
      return 0
    }
    if (!/^\d{1,5}$/.test(values.port)) throw new TypeError(`--port takes a number, and got "${values.port}"`)
    return { once: values.once, port: Number(values.port) }
  } catch (error) {
    console.error(`${/** @type {Error} */ (error).message}\n\n${USAGE}`)
    return WRONG_USE
  }
}

process.exitCode = await main().catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : error)
  return FAILURE
})
