import type { Io } from '@service-signature/terminal'

export interface ProgramSetup {
  readonly io: Io
  /** Gets the exit code of the command that ran. */
  readonly end: (exitCode: number) => void
}

/** The module of a command: its `run` gets the arguments, the options, and what is around it. */
interface CommandModule {
  readonly run: (...given: never[]) => Promise<number>
}

/** The action of a command whose module is loaded when it runs, so that no command waits for another. */
export function action({ io, end }: ProgramSetup, load: () => Promise<CommandModule>) {
  return async (...given: unknown[]): Promise<void> => {
    // The last one is the command itself.
    const { run } = await load()
    end(await run(...([...given.slice(0, -1), io] as never[])))
  }
}

/** Adds the value of an option that may be given several times to those before. */
export function appended(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
