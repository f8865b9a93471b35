import { test } from 'node:test'
import { casesFor } from './shared/cases.cjs'
import { publicEntries } from './shared/entries.cjs'

const entries = publicEntries(import.meta.dirname)

for (const [title, run] of casesFor(entries, (name) => import(name))) test(title, run)
