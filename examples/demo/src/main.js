// The sandbox and the server of a merchant, in one process: npm run demo
import { startSandbox } from '@service-signature/sandbox'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startEndpoint } from './endpoint.js'
import { createMerchant } from './merchant.js'
import { runScenario } from './scenario.js'

const USAGE = `npm run demo -- [options]

  --once            end after the last step: 0 if every step had the expected result, 1 otherwise
  --port <number>   where the sandbox listens; default: any free port
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
  const merchant = createMerchant(service)
  // A test payment on the page of the sandbox then needs no address.
  await merchant.put('/_sandbox/settings/', { default_endpoint: endpoint.url })
  console.log(`The payment service, in test mode:  ${sandbox.url}`)
  console.log(`A merchant's endpoint, in Express:  ${endpoint.url}`)

  const failures = await runScenario({ sandbox, endpoint, merchant })
  console.log(
    failures === 0 ? '\nEvery step had the expected result.' : `\nSteps with another result: ${failures}.`,
  )
  if (!settings.once) {
    console.log(
      `\nOpen ${sandbox.url} to see every event, break one, or audit the endpoint. Press Ctrl+C to stop.`,
    )
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  }
  await endpoint.close()
  await sandbox.close()
  return failures === 0 ? 0 : FAILURE
}

/** @returns {{ once: boolean, port: number } | number} or the exit code, if nothing is started */
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
    if (!/^\d{1,5}$/.test(values.port)) throw new TypeError(`--port must be a number, got "${values.port}"`)
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
