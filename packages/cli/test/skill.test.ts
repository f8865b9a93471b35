import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { run } from './support/command.js'

it('skill prints the instructions that are in the package', async () => {
  const { code, stdout } = await run(['skill'])
  expect(code).toBe(0)
  expect(stdout).toBe(readFileSync(new URL('../SKILL.md', import.meta.url), 'utf8'))
  expect(stdout).toMatch(/^---\nname: service-signature\n/)
})
