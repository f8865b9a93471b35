import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

it.each(['endpoint.js', 'worker.js'])('README shows %s as the tests run it', (name) => {
  expect(read('README.md')).toContain(`\`\`\`js\n${read(`examples/bullmq/${name}`)}\`\`\``)
})
