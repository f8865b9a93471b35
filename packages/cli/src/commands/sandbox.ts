import { main } from '@service-signature/sandbox'
import type { Io } from '../io.js'

/** Runs the payment service in test mode. What follows `sandbox` on the command line is the sandbox's own. */
export async function run(argv: readonly string[], { stdout, stderr }: Io): Promise<number> {
  return main(argv, {
    stdout,
    stderr,
    once: (signal, listener) => process.once(signal, listener),
    off: (signal, listener) => process.off(signal, listener),
  })
}
