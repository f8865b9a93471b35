import type { Command } from 'commander'
import { UsageError } from '../exit.js'
import type { Io } from '../io.js'

/** A command and what may follow it. */
interface Entry {
  readonly name: string
  readonly summary: string
  readonly options: readonly { readonly long: string; readonly description: string }[]
}

const SCRIPTS: ReadonlyMap<string, (entries: readonly Entry[]) => string> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
])

/**
 * Prints a script that completes the commands and their options in a shell.
 *
 * @throws {UsageError} on a shell that it does not know
 */
export function run(shell: string, program: Command, { stdout }: Pick<Io, 'stdout'>): number {
  const script = SCRIPTS.get(shell)
  if (script === undefined) {
    throw new UsageError(
      `Unknown shell ${JSON.stringify(shell)}; expected ${[...SCRIPTS.keys()].join(', ')}.`,
    )
  }
  stdout.write(script(program.commands.map(entryOf)))
  return 0
}

function entryOf(command: Command): Entry {
  const options = [...command.options, { long: '--help', description: 'print the help' }]
  return {
    name: command.name(),
    summary: command.summary(),
    options: options.map(({ long, description }) => ({ long: long!, description })),
  }
}

function bash(entries: readonly Entry[]): string {
  const cases = entries.map(
    ({ name, options }) => `    ${name}) words="${options.map(({ long }) => long).join(' ')}" ;;`,
  )
  return `# Completion of service-signature for bash: eval "$(service-signature completion bash)"
_service_signature() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${entries.map(({ name }) => name).join(' ')} --help --version"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
# Where no word fits, names of files are completed.
complete -o default -F _service_signature service-signature
`
}

function zsh(entries: readonly Entry[]): string {
  const commands = entries.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`)
  const cases = entries.map(({ name, options }) => {
    const words = options.map(({ long, description }) =>
      quoted(`${long}:${description.replaceAll(':', ' -')}`),
    )
    return `    ${name}) options=(${words.join(' ')}) ;;`
  })
  return `# Completion of service-signature for zsh: eval "$(service-signature completion zsh)"
_service_signature() {
  local -a options commands
  commands=(
${commands.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "\${words[2]}" in
${cases.join('\n')}
  esac
  _describe option options
  _files
}
compdef _service_signature service-signature
`
}

function fish(entries: readonly Entry[]): string {
  const lines = entries.flatMap(({ name, summary, options }) => [
    `complete -c service-signature -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...options.map(
      ({ long, description }) =>
        `complete -c service-signature -n '__fish_seen_subcommand_from ${name}' -l ${long.slice(2)} -d ${quoted(description)}`,
    ),
  ])
  return `# Completion of service-signature for fish: service-signature completion fish | source
${lines.join('\n')}
`
}

/** A word in single quotes, as all three shells read it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '')}'`
}
