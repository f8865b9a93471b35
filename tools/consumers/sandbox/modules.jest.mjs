import { startSandbox } from '@service-signature/sandbox'
import { PAID, typesOfPayment } from './payment.cjs'

test('startSandbox works in a test that Jest runs as an ES module', async () => {
  const sandbox = await startSandbox({ timeScale: 1000 })
  try {
    process.env.PAYMENT_SERVICE_URL = sandbox.url
    process.env.PAYMENT_API_KEY = sandbox.apiKeys.account
    process.env.WEBHOOK_SECRET = sandbox.secret
    expect(await typesOfPayment()).toEqual(PAID)

    const page = await fetch(sandbox.url)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const [script] = /\/assets\/[\w-]+\.js/.exec(await page.text())
    expect((await fetch(sandbox.url + script)).status).toBe(200)
  } finally {
    await sandbox.close()
  }
})
