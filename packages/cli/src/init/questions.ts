import { printable } from '@service-signature/deliveries'
import { oneOf, UsageError, type Io } from '@service-signature/terminal'
import { createInterface } from 'node:readline'

/** The questions of a command. Without a terminal, the answer is no. */
export interface Questions {
  readonly ask: (question: string) => Promise<boolean>
  /** @throws {UsageError} without a terminal, and on another answer */
  readonly choose: <Name extends string>(flag: string, names: readonly Name[]) => Promise<Name>
  readonly close: () => void
}

const UNASKED: Questions = {
  ask: () => Promise.resolve(false),
  choose: (flag, names) =>
    Promise.reject(new UsageError(`The project has ${names.join(' and ')}. Choose one: ${flag} <name>.`)),
  close: () => undefined,
}

/** Asks a person at a terminal, if that is wanted. */
export function openQuestions({ stdin, stdout, isTerminal }: Io, isWanted: boolean): Questions {
  if (!isWanted || !isTerminal || stdin.isTTY !== true) return UNASKED
  const reader = createInterface({ input: stdin })
  // What is typed ahead waits there.
  const lines = reader[Symbol.asyncIterator]()
  const answerTo = async (question: string) => {
    stdout.write(question)
    const line = (await lines.next()) as IteratorResult<string, undefined>
    return line.value?.trim().toLowerCase() ?? ''
  }
  return {
    ask: async (question) => ['y', 'yes'].includes(await answerTo(`${printable(question, Infinity)} [y/N] `)),
    choose: async (flag, names) => oneOf(flag, names, await answerTo(`Which one: ${names.join(', ')}? `)),
    close: () => {
      reader.close()
    },
  }
}
