import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const CHECK = fileURLToPath(new URL('../../.ci/commits', import.meta.url))
const PERSON = 'someone@example.com'
const DEPENDABOT = '49699333+dependabot[bot]@users.noreply.github.com'
const LONGEST = `fix(replay): ${'x'.repeat(59)}`

/** Whether the check accepts a commit of this author, and what it prints. */
function check(author: string, message: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'service-signature-commits-'))
  onTestFinished(() => {
    rmSync(cwd, { recursive: true })
  })
  const as = ['-c', 'user.name=someone', '-c', `user.email=${author}`]
  execFileSync('git', ['init', '--quiet'], { cwd })
  execFileSync('git', [...as, 'commit', '--quiet', '--allow-empty', '--message', message], { cwd })
  const { status, stdout } = spawnSync(CHECK, ['HEAD'], { cwd, encoding: 'utf8' })
  return { status, stdout }
}

it.each([
  'build(deps-dev): bump the minor-and-patch group across 1 directory with 12 updates',
  'Bump actions/checkout from 7.0.1 to 7.1.0 in the actions group',
  'Bump actions/checkout from 7.0.1 to 7.1.0 in the actions group (#123)\n\nBumps the actions group.',
])('a commit of Dependabot passes with its message: %s', (message) => {
  expect(check(DEPENDABOT, message)).toEqual({ status: 0, stdout: '' })
  expect(check(PERSON, message).status).toBe(1)
})

it.each([LONGEST, `${LONGEST} (#123)`, 'feat(core, node)!: sign\n\nA body.'])('accepts "%s"', (message) => {
  expect(check(PERSON, message)).toEqual({ status: 0, stdout: '' })
})

it.each([`${LONGEST}x (#123)`, 'Fix the replay', 'fix: stop.', 'fix: WIP'])(
  'prints "%s", and fails',
  (message) => {
    expect(check(PERSON, message)).toEqual({ status: 1, stdout: expect.stringContaining(message) as string })
  },
)
