import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sections = readFileSync(`${root}docs/queues.md`, 'utf8').split(/^## /m)

it.each([
  ['graphile-worker', []],
  ['pg-boss', []],
  // BullMQ imports it, and npm does not install it.
  ['BullMQ', ['ioredis']],
])('the page of queues names all packages to install for %s', (engine, others) => {
  const section = sections.find((text) => text.startsWith(`${engine}\n`)) ?? ''
  const line = /^`npm install (.*)`$/m.exec(section)?.[1] ?? ''
  const folder = `${root}examples/queues/${engine.toLowerCase()}`
  const programs = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const texts = programs.map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
  const imported = texts.flatMap((text) =>
    Array.from(text.matchAll(/ from '([^.].*)'$/gm), ([, name]) => name!),
  )
  const installed = line.split(' ').map((name) => name.replace(/(?<=.)@\d+$/, ''))
  expect(new Set(installed)).toEqual(new Set([...imported, ...others]))
})
