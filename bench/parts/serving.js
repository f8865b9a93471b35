import { once } from 'node:events'

/** Listens on a free port of this machine, and resolves to it. */
export async function listening(server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server.address().port
}

/** Sends the port, and the CPU time on request, to the process that started this one, and ends with it. */
export function serving(port) {
  process.on('disconnect', () => process.exit())
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpu: user + system })
  })
  process.send({ port })
}
