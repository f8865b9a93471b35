import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { run } from './support/command.js'

/** What bash offers for the last of these words, by the script itself. */
async function completions(...words: string[]): Promise<string[]> {
  const { stdout } = await run(['completion', 'bash'])
  const list = words.map((word) => `'${word}'`).join(' ')
  const script = `${stdout}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _service_signature; printf '%s\\n' "\${COMPREPLY[@]}"`
  const printed = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
  return printed.split('\n').filter((line) => line !== '')
}

it('bash completes the commands', async () => {
  expect(await completions('service-signature', 's')).toEqual(['sign', 'send', 'secret', 'sandbox', 'skill'])
})

it('bash completes the options of a command', async () => {
  expect(await completions('service-signature', 'verify', '--he')).toEqual([
    '--header',
    '--headers',
    '--help',
  ])
})

it('bash offers no option of another command', async () => {
  expect(await completions('service-signature', 'verify', '--skew')).toEqual([])
})

it.each([
  ['zsh', /^compdef _service_signature service-signature$/m, /verify\) options=\('--body:/],
  ['fish', /-n __fish_use_subcommand -f -a verify -d '/, /seen_subcommand_from verify' -l header -d '/],
])('%s gets a script with every command and its options', async (shell, command, option) => {
  const { code, stdout } = await run(['completion', shell])
  expect(code).toBe(0)
  expect(stdout).toMatch(command)
  expect(stdout).toMatch(option)
})

it('an unknown shell ends with 2, and the known ones are named', async () => {
  expect(await run(['completion', 'csh'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected bash, zsh, fish') as unknown,
  })
})
