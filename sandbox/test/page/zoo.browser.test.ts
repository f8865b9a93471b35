import { expect, it, vi } from 'vitest'
import { ZOO } from '../deliveries/zoo.js'
import { describeInBrowser } from '../support/browser.js'
import { Service } from '../support/service.js'
import { Workbench } from '../support/workbench.js'

/** As many rows are in view. */
const ROWS = 12

describeInBrowser('The page: the zoo of endpoints', (visit) => {
  it('shows the true cause of each endpoint in its row', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    vi.spyOn(process, 'emitWarning').mockReturnValue()
    const service = await Service.start({ checks: 'own' })
    const { advance } = service.clock
    for (const { open } of ZOO) {
      const url = await open({ secret: service.sandbox.secret, advance })
      await service.compose({ url, template: 'intent-processed', retries: false })
      await service.sandbox.idle()
    }
    const { list } = await service.get(`/_sandbox/newest/deliveries/?limit=${ZOO.length}`)
    const found = list.map(({ cause }) => cause as { cause: string; title: string } | null)
    expect(found.map((each) => each?.cause ?? null)).toEqual(ZOO.map(({ cause }) => cause).reverse())
    const workbench = await Workbench.at(visit, service, '/deliveries/')
    for (const [index, cause] of found.slice(0, ROWS).entries()) {
      await workbench
        .rows('Deliveries')
        .nth(index)
        .getByText(cause?.title ?? '204')
        .filter({ visible: true })
        .waitFor()
    }
  })
})
