import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { repositoryPaths } from '../../../../tools/markdown-links.js'
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

const paths = [...repositoryPaths(ROOT)]

export const pages = filesLike(
  /^(?:(?:README|SECURITY|CONTRIBUTING)\.md|docs\/(?:maintainers\/)?[^/]+\.md|\.github\/ISSUE_TEMPLATE\/.+)$/,
  /^(?:packages\/[^/]+|sandbox)\/(?:README|SKILL)\.md$/,
)

export const code = filesLike(/^(?:packages\/[^/]+\/src|sandbox\/(?:server|command|page))\/.+\.tsx?$/)

/** What users copy, also for its comments, and the workflows. */
export const copied = filesLike(
  /^(?:packages\/cli\/templates|examples\/(?!test\/).+)\/[^/]+\.(?:[cm]?[jt]sx?|jsonc|md|vue|ya?ml)$/,
  /^(?:sandbox\/(?:Dockerfile|compose\.example\.yaml)|\.github\/workflows\/.+)$/,
)

function filesLike(...patterns: readonly RegExp[]): readonly Source[] {
  return paths.filter((path) => patterns.some((pattern) => pattern.test(path))).map(read)
}

function read(path: string): Source {
  return { path, text: readFileSync(ROOT + path, 'utf8') }
}

/** Every command that the pages, the messages, what users copy, and the help of the commands show. */
export async function printedCommands(names: readonly string[]): Promise<readonly PrintedCommand[]> {
  const help = names.map(async (name) => ({
    path: `help of ${name}`,
    text: (await run([name, '--help'])).stdout,
  }))
  return [...pages, ...code, ...copied, ...(await Promise.all(help))].flatMap((source) => commandsIn(source))
}

/** The packages that the lines of a text install, without their versions. */
export function installedIn(source: Source): readonly string[] {
  return commandsIn(source, INSTALL)
    .flatMap(({ name, words }) => [name, ...words])
    .filter((word) => !word.startsWith('-'))
    .map((word) => word.replace(/(?<=.)@.*/, ''))
}

const NPX = /(?:\b[A-Z][A-Z_]*=\S+ )*\bnpx (?=\S)/g
const INSTALL = /\b(?:npm|pnpm|yarn|bun) (?:install|i|add) (?=\S)/g
/** In a shell: with quotes, and until a pipe, `&&`, a redirection or the end of `$(...)`. */
const WORD = /(?:"[^"\n]*"|'[^'\n]*'|\$\{[^}\n]*\}|<[^<>\n]+>|(?!\d>)[^\s'"`|&<>();,\\])+/y

/** The commands of a text, in its order. */
export function commandsIn({ path, text }: Source, start = NPX): readonly PrintedCommand[] {
  return [...text.matchAll(start)].flatMap(({ 0: before, index }) => {
    const [line] = text.slice(index + before.length).split('\n', 1) as [string]
    const quote = /["'`]/.exec(text.charAt(index - 1))?.[0]
    const [name, ...words] = wordsOf(quote === undefined ? line : line.split(quote, 1)[0]!)
    // The help of the commands has these examples.
    if (name === undefined || words.includes('<example>')) return []
    return [{ path, text: before + [name, ...words].join(' '), name, words }]
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
