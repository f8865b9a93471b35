import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** @import { Form } from './canonical.js' */

/**
 * The independent implementation of the test vectors, in a process of its own.
 *
 * @typedef {object} Peer
 * @property {(body: Uint8Array, form: Form) => Promise<string | undefined>} canonicalText as ours
 * @property {() => void} close
 */

const generator = fileURLToPath(new URL('../../../test-vectors/generate.py', import.meta.url))

/**
 * Nothing where there is no Python.
 *
 * @returns {Peer | undefined}
 */
export function startPeer() {
  if (spawnSync('python3', ['--version']).status !== 0) return undefined
  // In a group of its own, so that Ctrl-C reaches only us: the last question is to be answered.
  const python = spawn('python3', [generator, '--oracle'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  /** @type {((line: string) => void)[]} */
  const waiting = []
  createInterface({ input: python.stdout }).on('line', (line) => waiting.shift()?.(line))
  return {
    async canonicalText(body, form) {
      const question = { op: 'canonical', form, body: Buffer.from(body).toString('hex') }
      python.stdin.write(`${JSON.stringify(question)}\n`)
      const line = await new Promise((/** @type {(line: string) => void} */ resolve) => waiting.push(resolve))
      /** @type {{ text?: string, error?: string }} */
      const { text, error } = JSON.parse(line)
      if (text !== undefined) return Buffer.from(text, 'hex').toString()
      if (error !== 'not-json') throw new Error(`The Python script answered ${line}`)
      return undefined
    },
    close() {
      python.stdin.end()
    },
  }
}
