import { styleText } from 'node:util'
import type { Io } from './io.js'

/** A line on standard output. */
export function print(io: Io, text: string): void {
  io.stdout.write(`${text}\n`)
}

/** The one document on standard output that `--json` stands for. */
export function printJson(io: Io, value: unknown): void {
  print(io, JSON.stringify(value, null, 2))
}

/** A line for people, next to the result. */
export function remark(io: Io, text: string): void {
  io.stderr.write(`${text}\n`)
}

/** The text in color, where there is color. */
export function paint(io: Io, color: 'green' | 'red' | 'yellow', text: string): string {
  // Whether there is color was decided with the terminal's own rules, where `io` was made.
  return io.hasColor ? styleText(color, text, { validateStream: false }) : text
}

/** Text of others on one line, without what would command a terminal. */
export function printable(text: string, length = 200): string {
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim()
  return line.length > length ? `${line.slice(0, length)}...` : line
}
