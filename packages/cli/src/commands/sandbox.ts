import { UsageError } from '../exit.js'
import type { Io } from '../io.js'

const MISSING = `The sandbox is a package of its own, and is not installed. Install it next to this command:
npm install --save-dev @service-signature/sandbox`

/** Runs a command of the sandbox, which reads the arguments itself. Without a name, it is the payment service in test mode. */
export async function run(
  argv: readonly string[],
  { stdout, stderr, env }: Io,
  load = () => import('@service-signature/sandbox'),
): Promise<number> {
  const { main } = await load().catch(missing)
  return main(argv, {
    stdout,
    stderr,
    env,
    once: (signal, listener) => process.once(signal, listener),
    off: (signal, listener) => process.off(signal, listener),
  })
}

/** @throws {UsageError} if the package is not installed; any other error as it is */
function missing(error: NodeJS.ErrnoException): never {
  const isMissing =
    error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('@service-signature/sandbox')
  throw isMissing ? new UsageError(MISSING) : error
}
