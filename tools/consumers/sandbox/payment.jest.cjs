const { PAID, typesOfPayment } = require('./payment.cjs')

test('an endpoint handles the events of a sandbox that the global setup started', async () => {
  expect(await typesOfPayment()).toEqual(PAID)
})
