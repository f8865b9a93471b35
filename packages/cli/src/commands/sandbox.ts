import { EXIT, UsageError } from '../exit.js'
import type { Io } from '../io.js'

const PACKAGE = '@service-signature/sandbox'

/** As much of the package as is used; it need not be installed. */
interface Sandbox {
  readonly main: (argv: readonly string[], io: SandboxIo) => Promise<number | undefined>
}

interface SandboxIo extends Pick<Io, 'stdout' | 'stderr'> {
  readonly once: (signal: NodeJS.Signals, listener: () => void) => unknown
  readonly off: (signal: NodeJS.Signals, listener: () => void) => unknown
}

/** Runs the payment service in test mode. What follows `sandbox` on the command line is the sandbox's own. */
export async function run(
  argv: readonly string[],
  { stdout, stderr }: Io,
  load: () => Promise<Partial<Sandbox>> = () => import(PACKAGE),
): Promise<number> {
  const { main } = await load().catch((error: unknown): Partial<Sandbox> => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return {}
  })
  if (main === undefined) {
    throw new UsageError(`The sandbox is not installed. Install it with: npm install --save-dev ${PACKAGE}`)
  }
  const exitCode = await main(argv, {
    stdout,
    stderr,
    once: (signal, listener) => process.once(signal, listener),
    off: (signal, listener) => process.off(signal, listener),
  })
  return exitCode ?? EXIT.good
}
