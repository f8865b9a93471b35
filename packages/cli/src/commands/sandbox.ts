import { createRequire } from 'node:module'
import { UsageError } from '../exit.js'
import type { Io } from '../io.js'

const NAME = '@service-signature/sandbox'

const MISSING = `The sandbox is a package of its own, and is not installed. Install it next to this command:
npm install --save-dev ${NAME}`

/** How the package of the sandbox is found. */
interface Packages {
  readonly load?: () => Promise<typeof import('@service-signature/sandbox')>
  /** Throws if there is no such file of a package. */
  readonly resolve?: (path: string) => unknown
}

/** Runs a command of the sandbox, which reads the arguments itself. Without a name, it is the payment service in test mode. */
export async function run(
  argv: readonly string[],
  { stdout, stderr, env }: Io,
  {
    load = () => import('@service-signature/sandbox'),
    resolve = createRequire(import.meta.url).resolve,
  }: Packages = {},
): Promise<number> {
  const { main } = await load().catch((error: unknown) => {
    throw isInstalled(resolve) ? error : new UsageError(MISSING)
  })
  return main(argv, {
    stdout,
    stderr,
    env,
    once: (signal, listener) => process.once(signal, listener),
    off: (signal, listener) => process.off(signal, listener),
  })
}

/** The codes and messages for a package that is missing differ between Node, Bun and Yarn. That it cannot be resolved does not. */
function isInstalled(resolve: (path: string) => unknown): boolean {
  try {
    resolve(`${NAME}/package.json`)
    return true
  } catch {
    return false
  }
}
