const { casesFor } = require('./cases.cjs')

test.each(casesFor(require))('%s', async (_title, run) => {
  await run()
})
