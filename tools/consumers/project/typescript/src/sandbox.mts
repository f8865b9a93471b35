// What a merchant writes with the sandbox, which is only an ES module. It ends well, or it throws.
import { fetchSecret } from '@service-signature/core'
import { startSandbox, type Sandbox } from '@service-signature/sandbox'

const sandbox: Sandbox = await startSandbox({ seed: 1 })
const source = fetchSecret({ baseUrl: sandbox.url, apiKey: sandbox.apiKeys.account })
await source.prime()
source.close()
await sandbox.close()
