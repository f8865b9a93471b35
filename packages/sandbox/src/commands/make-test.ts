import { writeFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { WRONG_USE, type MainIo } from '../command.js'
import { readRecordings } from '../recording/read-recordings.js'
import { regressionTest } from '../recording/regression-test.js'

const USAGE = `service-signature-sandbox test <folder>: writes a test for node --test

The test sends the recorded deliveries of the folder to your endpoint again, and
expects the recorded status of each.

  --out <file>             default: webhooks.test.mjs
  --url <endpoint>         default: http://127.0.0.1:3000/webhooks
  --start <command>        starts your endpoint first, such as "node server.js"
  --force                  replace the file if it exists
  --help                   print this
`

/** The command `test`. Resolves to the exit code. */
export async function makeTest(argv: readonly string[], io: MainIo): Promise<number> {
  try {
    const { folder, values } = readArguments(argv)
    if (folder === undefined) {
      io.stdout.write(USAGE)
      return 0
    }
    const { out, url, start, force } = values
    const recordings = await readRecordings(folder)
    const text = regressionTest({ folder: pathFrom(dirname(out), folder), url, start })
    await writeFile(out, text, { flag: force ? 'w' : 'wx' })
    io.stdout.write(`${out} tests ${recordings.length} deliveries. Run: node --test ${out}\n`)
    return 0
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    io.stderr.write(code === 'EEXIST' ? `${message}\nTo replace the file, pass --force.\n` : `${message}\n`)
    return WRONG_USE
  }
}

/** @throws {TypeError} on wrong use */
function readArguments(argv: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      out: { type: 'string', default: 'webhooks.test.mjs' },
      url: { type: 'string', default: 'http://127.0.0.1:3000/webhooks' },
      start: { type: 'string' },
      force: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const [folder, ...others] = positionals
  if (!values.help && (folder === undefined || others.length > 0)) {
    throw new TypeError('Name one folder with recorded deliveries.')
  }
  return { folder: values.help ? undefined : folder, values }
}

/** The path from a folder, with slashes on every system. */
function pathFrom(folder: string, path: string): string {
  return relative(resolve(folder), resolve(path)).split(sep).join('/')
}
