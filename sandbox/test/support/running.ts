import { onTestFinished } from 'vitest'
import { FakeIo, type World } from '../../../packages/terminal/test/support/fake-io.js'

/** Runs a command until a signal, which it gets at the end of the test at the latest. Resolves when it has printed something. */
export async function running(run: (io: FakeIo) => Promise<number>, world: World = {}) {
  const io = new FakeIo(world)
  const code = run(io)
  const end = (signal = 'SIGINT') => {
    io.emit(signal)
    return code
  }
  onTestFinished(async () => {
    await end()
  })
  await Promise.race([io.until(1), code])
  return { io, end }
}
