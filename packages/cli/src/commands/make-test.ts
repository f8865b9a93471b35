import { readRecordings } from '@service-signature/deliveries/node'
import { writeFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { EXIT, UsageError } from '../exit.js'
import type { Io } from '../io.js'
import { print } from '../output.js'
import { regressionTest } from '../sandbox/regression-test.js'

export interface MakeTestOptions {
  readonly out: string
  readonly url: string
  readonly start?: string
  readonly force?: true
}

/** Writes a test that replays the recorded deliveries of a folder. */
export async function run(folder: string, options: MakeTestOptions, io: Io): Promise<number> {
  const { out, url, start, force } = options
  try {
    const recordings = await readRecordings(folder)
    const text = regressionTest({ folder: pathFrom(dirname(out), folder), url, start })
    await writeFile(out, text, { flag: force ? 'w' : 'wx' })
    print(io, `${out} tests ${recordings.length} deliveries. Run: node --test ${out}`)
    return EXIT.good
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(code === 'EEXIST' ? `${message}\nTo replace the file, pass --force.` : message)
  }
}

/** The path from a folder, with slashes on every system. */
function pathFrom(folder: string, path: string): string {
  return relative(resolve(folder), resolve(path)).split(sep).join('/')
}
