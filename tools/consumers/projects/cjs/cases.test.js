const { test } = require('node:test')
const { casesFor } = require('./shared/cases.cjs')
const { publicEntries } = require('./shared/entries.cjs')

for (const [title, run] of casesFor(publicEntries(__dirname), require)) test(title, run)
