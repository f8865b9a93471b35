import { startSandbox } from '@service-signature/sandbox'

export default async function setUp() {
  const sandbox = await startSandbox({ timeScale: 1000 })
  process.env.PAYMENT_SERVICE_URL = sandbox.url
  process.env.PAYMENT_API_KEY = sandbox.apiKeys.account
  process.env.WEBHOOK_SECRET = sandbox.secret
  return sandbox.close
}
