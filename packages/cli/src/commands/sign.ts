import { EXIT, print, printJson, readInput, STDIN, unixTime, type Io } from '@service-signature/terminal'
import { readSigning, signBody, versionsIn, type SigningOptions } from '../send/signing.js'

export interface SignOptions extends SigningOptions {
  readonly body?: string
  readonly timestamp?: string
  readonly json?: true
}

/** Prints the `Service-Signature` value that the payment service would send with a body. */
export async function run(options: SignOptions, io: Io): Promise<number> {
  const timestamp =
    options.timestamp === undefined
      ? String(Math.floor(io.now() / 1000))
      : unixTime('--timestamp', options.timestamp)
  const signing = await readSigning(options, io)
  const header = signBody(await readInput(options.body ?? STDIN, io), signing, timestamp)
  if (options.json) printJson(io, { header, timestamp: Number(timestamp), versions: versionsIn(header) })
  else print(io, header)
  return EXIT.good
}
