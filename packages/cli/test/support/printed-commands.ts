import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readPackages } from '../../../../tools/release/metadata.js'
import { run } from './command.js'

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** A file that users read, or whose messages they read. */
export interface Source {
  readonly path: string
  readonly text: string
}

/** A command for `npx`, as a reader copies it. What a program fills in (`${url}`) is a placeholder, as in pages (`<url>`). */
export interface PrintedCommand {
  readonly path: string
  readonly text: string
  /** The package that `npx` runs, and what follows it. */
  readonly name: string
  readonly words: readonly string[]
}

const folders = readPackages(ROOT).map(({ folder }) => folder)

export const pages: readonly Source[] = [
  'README.md',
  ...filesIn('docs', /^[^/]+\.md$/),
  ...folders.flatMap((folder) => filesIn(folder, /^(?:README|SKILL)\.md$/)),
  ...filesIn('.github/ISSUE_TEMPLATE', /\.yml$/),
].map(read)

export const code: readonly Source[] = folders
  .flatMap((folder) => (folder === 'sandbox' ? ['sandbox/server', 'sandbox/command'] : `${folder}/src`))
  .flatMap((folder) => filesIn(folder, /\.ts$/, { recursive: true }))
  .map(read)

function filesIn(folder: string, wanted: RegExp, options: { readonly recursive?: boolean } = {}) {
  const paths = readdirSync(ROOT + folder, { ...options, encoding: 'utf8' })
  return paths.filter((path) => wanted.test(path)).map((path) => `${folder}/${path}`)
}

function read(path: string): Source {
  return { path, text: readFileSync(ROOT + path, 'utf8') }
}

/** Every command that the pages, the messages and the help of the commands show. */
export async function printedCommands(names: readonly string[]): Promise<readonly PrintedCommand[]> {
  const help = names.map(async (name) => ({
    path: `help of ${name}`,
    text: (await run([name, '--help'])).stdout,
  }))
  return [...pages, ...code, ...(await Promise.all(help))].flatMap(commandsIn)
}

const START = /(?:\b[A-Z][A-Z_]*=\S+ )*\bnpx (?=\S)/g
/** In a shell: with quotes, and until a pipe, a redirection or the end of `$(...)`. */
const WORD = /(?:"[^"\n]*"|'[^'\n]*'|\$\{[^}\n]*\}|<[^<>\n]+>|(?!\d>)[^\s'"`|<>();,\\])+/y

/** The commands of a text, in its order. */
export function commandsIn({ path, text }: Source): readonly PrintedCommand[] {
  return [...text.matchAll(START)].flatMap(({ 0: start, index }) => {
    const [line] = text.slice(index + start.length).split('\n', 1) as [string]
    const quote = /["'`]/.exec(text.charAt(index - 1))?.[0]
    const [name, ...words] = wordsOf(quote === undefined ? line : line.split(quote, 1)[0]!)
    // The help of the commands has these examples.
    if (name === undefined || words.includes('<example>')) return []
    return [{ path, text: start + [name, ...words].join(' '), name, words }]
  })
}

function wordsOf(line: string): readonly string[] {
  const words: string[] = []
  for (let at = 0; at < line.length; at++) {
    WORD.lastIndex = at
    const [word] = WORD.exec(line) ?? []
    if (word === undefined) break
    words.push(word.replaceAll(/\$\{([^}]*)\}/g, '<$1>'))
    at += word.length
    if (line[at] !== ' ') break
  }
  // The end of a sentence is not a part of its last word.
  return words.map((word, i) => (i === words.length - 1 ? word.replace(/[.:]$/, '') : word))
}
