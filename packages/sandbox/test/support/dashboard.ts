import type { WebhookEvent } from '@service-signature/core'
import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/express'
import express from 'express'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Open, Visit } from './browser.js'
import { Endpoint } from './endpoint.js'
import { Service } from './service.js'

/** The page at `/dashboard/` as a person finds things on it. */
export class Dashboard {
  readonly page: Page
  readonly problems: string[]

  constructor({ page, problems }: Visit) {
    this.page = page
    this.problems = problems
  }

  /** A sandbox, an endpoint that takes everything, and the page, once it is connected. */
  static async open(open: Open, options?: Parameters<Open>[1]) {
    const service = await Service.start({}, 'real time')
    const endpoint = await Endpoint.start()
    const dashboard = new Dashboard(await open(`${service.sandbox.url}/dashboard/`, options))
    await dashboard.isConnected()
    return { service, endpoint, dashboard, page: dashboard.page }
  }

  isConnected(): Promise<void> {
    return this.page.getByText('Live', { exact: true }).waitFor()
  }

  /** Fills in the form, and pays. */
  async pay(webhookUrl: string): Promise<void> {
    await this.page.getByLabel('Webhook URL').fill(webhookUrl)
    await this.page.getByRole('button', { name: 'Pay' }).click()
    await this.page.getByText(/^Paid: int_/).waitFor()
  }

  button(name: string) {
    return this.page.getByRole('button', { name, exact: true })
  }

  /** The rows of a list, once there are so many. */
  async rows(list: 'Deliveries' | 'Intents' | 'Customers and cards' | 'Attempts', count: number) {
    const rows = this.page.getByRole('table', { name: list }).locator('tbody tr')
    await rows.nth(count - 1).waitFor()
    return rows
  }

  /** Opens the delivery of this type that is highest in the list. */
  async openDelivery(type: string): Promise<void> {
    await this.page.getByRole('button', { name: type, exact: true }).first().click()
    await this.page.getByRole('dialog', { name: type }).waitFor()
  }
}

/** An endpoint of a merchant who verifies, with the Express middleware. It stops with the test. */
export async function guardedEndpoint(options: ServiceSignatureOptions) {
  const handled: WebhookEvent[] = []
  const app = express()
  app.post('/webhooks', serviceSignature(options), (req, res) => {
    handled.push(req.webhook!.event)
    res.sendStatus(204)
  })
  // Express's own handler of errors writes each of them to the log.
  app.use(((error: { status?: number }, _req, res, next) => {
    if (res.headersSent) next(error)
    else res.sendStatus(error.status ?? 500)
  }) satisfies express.ErrorRequestHandler)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    const closed = once(server.close(), 'close')
    server.closeAllConnections()
    await closed
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`, handled }
}
