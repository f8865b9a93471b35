import { confirmed } from './confirm.js'
import { createCustomers } from './customers.js'
import { createDeliveries } from './deliveries.js'
import { createDeliverySheet } from './delivery.js'
import { byId } from './dom.js'
import { createFaults } from './faults.js'
import { createIntents } from './intents.js'
import { createKeys } from './keys.js'
import { listen } from './live.js'
import { createNotice } from './notice.js'
import { coalesced, get, send } from './api.js'
import { createPayment } from './payment.js'

const notice = createNotice(byId('notice'))
const payment = createPayment(notice)
const faults = createFaults(notice)
const keys = createKeys(notice)
const sheet = createDeliverySheet()
const deliveries = createDeliveries((id) => void sheet.open(id))
const intents = createIntents()
const customers = createCustomers((all) => payment.offer(all))

const overview = coalesced(async () => {
  const { data } = await get('/_sandbox/overview/')
  faults.show(data.faults)
  await keys.show(data)
})

function refreshAll() {
  for (const refresh of [overview, deliveries.refresh, intents.refresh, customers.refresh]) void refresh()
  void sheet.refresh()
  void sheet.explainAgain()
}

/** Which part of the page shows what has changed. */
function refreshFor({ kind, id }) {
  if (kind === 'delivery') {
    void deliveries.refresh()
    void sheet.refresh(id)
  } else if (kind === 'intent') {
    void intents.refresh()
    // A card may have been saved.
    void customers.refresh()
  } else if (kind === 'customer' || kind === 'card') void customers.refresh()
  else if (kind === 'reset') {
    sheet.close()
    refreshAll()
  } else {
    void overview()
    if (kind !== 'faults') void sheet.explainAgain()
  }
}

for (const place of document.querySelectorAll('[data-url]')) place.textContent = location.origin
for (const panel of document.querySelectorAll('.tools details')) {
  panel.open = matchMedia('(min-width: 64rem)').matches
}

byId('reset').addEventListener('click', async () => {
  const isSure = await confirmed({
    title: 'Reset the sandbox?',
    text: 'Intents, customers, cards and deliveries are forgotten. Keys and secret are those of the start again.',
    yes: 'Reset',
  })
  if (isSure) await notice.during(() => send('POST', '/_sandbox/reset'), 'The sandbox is as at its start.')
})

listen(byId('connection'), { onOpen: refreshAll, onChange: refreshFor })
