import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../src/free-port.js'

it('a free port is one that no server gets that asks for any port', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort))
  expect(new Set(ports).size).toBe(20)
  expect(Math.max(...ports)).toBeLessThan(32_768)
})

it('a free port is not one on which something listens', async () => {
  const taken = (await freePort()) + 1
  const server = createServer().listen(taken, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  expect(await freePort()).not.toBe(taken)
})
