import { printableJson, printableLines } from '@service-signature/deliveries'
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
  io.stderr.write(`${printableLines(text)}\n`)
}

/** The text in color, where there is color. */
export function paint(io: Io, color: 'green' | 'red' | 'yellow' | 'dim', text: string): string {
  // Whether there is color was decided with the terminal's own rules, where `io` was made.
  return io.hasColor ? styleText(color, text, { validateStream: false }) : text
}
