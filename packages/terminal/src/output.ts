import { printableJson, printableLines, wrapped } from '@service-signature/deliveries'
import { styleText } from 'node:util'
import type { Io } from './io.js'

/** A line on standard output. */
export function print(io: Io, text: string): void {
  io.stdout.write(`${text}\n`)
}

/** The one document on standard output that `--json` stands for. */
export function printJson(io: Io, value: unknown): void {
  print(io, printableJson(value))
}

/** A message for people, next to the result. It may quote files and arguments. */
export function remark(io: Io, text: string): void {
  io.stderr.write(`${inLines(io, printableLines(text))}\n`)
}

/** Sentences in lines of the terminal. A longer word, such as an address, has a line of its own, so that it can be copied. */
export function inLines({ width }: Pick<Io, 'width'>, text: string, indent = ''): string {
  const lines = text.split('\n').flatMap((line) => wrapped(line, width - indent.length))
  return lines.map((line) => indent + line).join('\n')
}

/** The text in color, where there is color. */
export function paint(io: Io, color: 'green' | 'red' | 'yellow' | 'dim', text: string): string {
  // Whether there is color was decided with the terminal's own rules, where `io` was made.
  return io.hasColor ? styleText(color, text, { validateStream: false }) : text
}
