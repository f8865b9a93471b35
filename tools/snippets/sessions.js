// Sessions of a shell as a README shows them: lines that begin with "$ " are typed, what follows is printed.
import { spawnSync } from 'node:child_process'

/** @typedef {{ line: number, command: string, output: string }} Step */

/**
 * @param {import('./extract.js').Block} block
 * @returns {Step[]}
 */
export function stepsOf({ code, line }) {
  /** @type {Step[]} */
  const steps = []
  code.split('\n').forEach((text, index) => {
    const last = steps.at(-1)
    if (text.startsWith('$ ')) steps.push({ line: line + index, command: text.slice(2), output: '' })
    else if (last !== undefined) last.output += `${text}\n`
  })
  return steps
}

/**
 * Types the steps into one shell, in one folder, and gives what each of them printed.
 *
 * @param {readonly Step[]} steps
 * @param {{ folder: string, bin: string, env: Record<string, string> }} surroundings
 * @returns {string[]}
 */
export function typeIn(steps, { folder, bin, env }) {
  const MARK = '\u0001'
  // A step sees the exit code of the step before it as $?, whatever this prints in between.
  const script = [
    `service-signature() { "${process.execPath}" "${bin}" "$@"; }`,
    'npx() { "$@"; }',
    'status=0',
    ...steps.map(({ command }) => `printf '${MARK}'; (exit $status); eval ${quoted(command)}; status=$?`),
  ].join('\n')
  const { stdout, error } = spawnSync('bash', ['--norc', '-c', `exec 2>&1\n${script}`], {
    cwd: folder,
    env: { PATH: process.env['PATH'], NO_COLOR: '1', ...env },
    encoding: 'utf8',
    timeout: 60_000,
  })
  if (error !== undefined) throw error
  return stdout.split(MARK).slice(1)
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`
