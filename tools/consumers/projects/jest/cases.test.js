const { casesFor } = require('./shared/cases.cjs')
const { publicEntries } = require('./shared/entries.cjs')

test.each(casesFor(publicEntries(__dirname), require))('%s', async (_title, run) => {
  await run()
})
