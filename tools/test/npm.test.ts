import { expect, it } from 'vitest'
import { packedIn } from '../npm.js'

it.each([
  ['the list of npm 11', '[{"name":"@own/one","version":"1.2.3","filename":"own-one-1.2.3.tgz"}]'],
  [
    'the object of npm 12',
    '{"@own/one":{"name":"@own/one","version":"1.2.3","filename":"own-one-1.2.3.tgz"}}',
  ],
])('the tarballs that npm packed are read from %s', (_npm, printed) => {
  expect(packedIn(printed)).toEqual([{ name: '@own/one', version: '1.2.3', filename: 'own-one-1.2.3.tgz' }])
})
