// The code of a README, and what stands right below it as its output.
import { readFileSync } from 'node:fs'

/**
 * @typedef {object} Block
 * @property {string} file the README, from the root of the repository
 * @property {number} line the line of the code's first line
 * @property {string} language what stands behind the fence: "js", "console", or nothing
 * @property {string} code
 * @property {string | undefined} output the plain block right below, where there is one
 */

/**
 * All fenced blocks of a Markdown file.
 *
 * @param {URL} root
 * @param {string} file
 * @returns {Block[]}
 */
export function blocksOf(root, file) {
  const lines = readFileSync(new URL(file, root), 'utf8').split('\n')
  /** @type {(Block & { end: number })[]} */
  const blocks = []
  for (let i = 0; i < lines.length; i++) {
    const opening = /^( *)(`{3,})(\S*)/.exec(/** @type {string} */ (lines[i]))
    if (opening === null) continue
    const [, indent = '', fence = '', language = ''] = opening
    const start = i + 1
    const isOpen = () => lines[i] !== undefined && lines[i] !== indent + fence
    do i++
    while (isOpen())
    if (i >= lines.length) throw new Error(`${file}:${start}: this block has no end`)
    const code = lines.slice(start, i).map((line) => line.slice(indent.length))
    blocks.push({ file, line: start + 1, language, code: `${code.join('\n')}\n`, output: undefined, end: i })
  }
  return blocks.map(({ end, ...block }, index) => {
    const next = blocks[index + 1]
    const isRightBelow =
      next?.language === '' && lines.slice(end + 1, next.line - 2).every((line) => line === '')
    return isRightBelow ? { ...block, output: next.code } : block
  })
}

/** @param {Block} block */
export const nameOf = ({ file, line }) => `${file}:${line}`
