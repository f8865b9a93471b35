const WIDTH = 88
const MARGIN = ' '.repeat(12)

/**
 * Breaks a text into lines of a readable width, indented under the line that they explain.
 *
 * @param {string} text
 * @returns {string}
 */
export function paragraph(text) {
  /** @type {string[]} */
  const lines = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length >= WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.map((line) => MARGIN + line).join('\n')
}
