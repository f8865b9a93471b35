import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { CanonicalForm, Version } from '../../src/entries/index.js'

const generator = fileURLToPath(new URL('../../../../test-vectors/generate.py', import.meta.url))

/** The independent implementation of the test vectors, for questions that no vector asks. */
export interface Oracle {
  /** The text that v2 signs before `t`, or nothing where the body is not JSON. */
  canonical(body: Uint8Array, form: CanonicalForm): Promise<string | undefined>
  /** In hex, or nothing where the body is not JSON. */
  digest(question: {
    version: Version
    form?: CanonicalForm
    key: string
    t: string
    body: Uint8Array
  }): Promise<string | undefined>
  close(): void
}

export function startOracle(): Oracle {
  const python: ChildProcessWithoutNullStreams = spawn('python3', [generator, '--oracle'])
  const waiting: ((answer: Answer) => void)[] = []
  createInterface({ input: python.stdout }).on('line', (line) =>
    waiting.shift()?.(JSON.parse(line) as Answer),
  )

  function ask(question: object): Promise<Answer> {
    python.stdin.write(`${JSON.stringify(question)}\n`)
    return new Promise((resolve) => waiting.push(resolve))
  }

  return {
    async canonical(body, form) {
      const answer = await ask({ op: 'canonical', form, body: toHex(body) })
      const text = checked(answer).text
      return text === undefined ? undefined : Buffer.from(text, 'hex').toString()
    },
    async digest({ body, ...question }) {
      const answer = await ask({ op: 'digest', ...question, body: toHex(body) })
      return checked(answer).digest
    },
    close() {
      python.stdin.end()
    },
  }
}

interface Answer {
  readonly text?: string
  readonly digest?: string
  readonly error?: string
  readonly message?: string
}

function checked(answer: Answer): Answer {
  if (answer.error !== undefined && answer.error !== 'not-json') throw new Error(answer.message)
  return answer
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
