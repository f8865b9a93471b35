import type { Locator, Page } from 'playwright-core'
import type { Open, Visit } from './browser.js'
import { Service, startWithEndpoint } from './service.js'

/** The page of the sandbox, as a person finds things on it. */
export class Workbench {
  readonly page: Page
  readonly problems: string[]
  readonly service: Service

  private constructor({ page, problems }: Visit, service: Service) {
    this.page = page
    this.problems = problems
    this.service = service
  }

  /** The page at a path, once it is connected. */
  static async at(open: Open, service: Service, path: string, options?: Parameters<Open>[1]) {
    const workbench = new Workbench(await open(service.sandbox.url + path, options), service)
    await workbench.isConnected()
    return workbench
  }

  /** A sandbox, an endpoint that takes everything, and the page at a path. */
  static async open(open: Open, path = '/deliveries/', options?: Parameters<Open>[1]) {
    const { service, endpoint } = await startWithEndpoint({}, 'real time')
    const workbench = await Workbench.at(open, service, path, options)
    return { service, endpoint, workbench, page: workbench.page }
  }

  async go(path: string): Promise<void> {
    await this.page.goto(this.service.sandbox.url + path)
    await this.isConnected()
  }

  isConnected(): Promise<void> {
    return this.page.getByRole('banner').getByText('Connected', { exact: true }).waitFor()
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
  }

  /** The rows of a list, without its head. */
  rows(list: string): Locator {
    return this.page.getByRole('table', { name: list }).locator('[data-index]')
  }

  /** The part of the address that a person would share. */
  get address(): string {
    const { pathname, search } = new URL(this.page.url())
    return pathname + search
  }

  /** What has the focus. */
  get focused(): Locator {
    return this.page.locator(':focus')
  }

  /** Allows reading what was copied. */
  async copied(): Promise<() => Promise<string>> {
    await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    return () => this.page.evaluate('navigator.clipboard.readText()')
  }
}

/** A payment that sends two events to the endpoint, both of which have an answer. */
export async function pay(service: Service, ...order: Parameters<Service['order']>): Promise<string> {
  const id = await service.order(...order)
  await service.sandbox.idle()
  return id
}

/** The ids of the deliveries, newest first. */
export async function deliveryIds(service: Service): Promise<readonly string[]> {
  const { list } = await service.get('/_sandbox/newest/deliveries/?limit=100')
  return list.map(({ id }) => id)
}
