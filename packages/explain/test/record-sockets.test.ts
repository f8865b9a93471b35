import { build } from 'esbuild'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const MEBIBYTE = 1024 * 1024

/** Refuses some requests of each code, with a clock that is an hour later each time. */
const PROGRAM = `
import { recordRefusals } from './record.mjs'
const [folder, rounds, size] = process.argv.slice(2)
let now = Date.now()
const onRejected = recordRefusals({ folder, keep: 7, now: () => now })
process.on('warning', ({ message, detail }) => console.log(message, detail))
for (let round = 0; round < Number(rounds); round++, now += 3_600_000) {
  for (const code of ['ERR_SIGNATURE_MISMATCH', 'ERR_SIGNATURE_MISSING']) {
    await onRejected({ code, status: 401 }, { header: 't=1', body: Buffer.alloc(Number(size), 'a') })
  }
}
console.log('done')
`

// Inside node_modules, so that the bundle finds the packages that it leaves out.
let home: string

beforeAll(async () => {
  const cache = join(ROOT, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  home = mkdtempSync(join(cache, 'record-'))
  await build({
    entryPoints: [join(ROOT, 'packages/explain/src/record.ts')],
    outfile: join(home, 'record.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfig: join(ROOT, 'tsconfig.json'),
  })
  writeFileSync(join(home, 'program.mjs'), PROGRAM)
})

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(home, 'refusals-'))
})

afterAll(() => {
  rmSync(home, { recursive: true })
})

/** What the program prints. */
async function run(before: string, rounds: number, size: number): Promise<string> {
  const command = `${before} exec "$0" "$@"`
  const argv = ['-c', command, process.execPath, join(home, 'program.mjs'), folder, `${rounds}`, `${size}`]
  const child = spawn('sh', argv, { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(child, 'close')
  return text
}

describe('the folder of recorded refusals', () => {
  it('has at most the number of files and 16 MiB after several processes wrote at once', async () => {
    const printed = await Promise.all(Array.from({ length: 4 }, () => run('', 12, 3 * MEBIBYTE)))
    expect(printed).toEqual(Array(4).fill('done\n'))
    const files = readdirSync(folder).map((name) => statSync(join(folder, name)))
    expect(files.length).toBeGreaterThan(0)
    expect(files.length).toBeLessThanOrEqual(7)
    expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(16 * MEBIBYTE)
    for (const name of readdirSync(folder)) {
      expect(readFileSync(join(folder, name), 'latin1')).toMatch(/^POST [^]*\r\n\r\na{3145728}$/)
    }
  })

  it('has no part of a file that could not be written, and the process is warned once', async () => {
    // Files may have 32 KiB.
    expect(await run('ulimit -f 64;', 2, 200_000)).toBe(
      `A refusal was not recorded in ${folder}; the response is not affected Error: EFBIG: file too large, write\ndone\n`,
    )
    expect(readdirSync(folder)).toEqual([])
  })
})
