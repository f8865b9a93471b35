// What the command `service-signature sandbox` runs.
import { main } from '@service-signature/sandbox'

process.exitCode = await main(process.argv.slice(2), process)
