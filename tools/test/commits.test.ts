import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CHECK = join(ROOT, '.ci/commits')
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
  // Within a hook, the environment names the repository of the hook.
  const options = { cwd, env: { PATH: process.env['PATH'] } }
  execFileSync('git', ['init', '--quiet'], options)
  execFileSync('git', [...as, 'commit', '--quiet', '--allow-empty', '--message', message], options)
  const { status, stdout } = spawnSync(CHECK, ['HEAD'], { ...options, encoding: 'utf8' })
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

it.each([
  LONGEST,
  `${LONGEST} (#123)`,
  'feat(core, node)!: sign\n\nA body.',
  `Revert "${LONGEST} (#123)" (#124)`,
  `Reapply "${LONGEST}"`,
])('accepts "%s"', (message) => {
  expect(check(PERSON, message)).toEqual({ status: 0, stdout: '' })
})

it.each([`${LONGEST}x (#123)`, 'Fix the replay', 'fix: stop.', 'fix: WIP', 'Revert the fix'])(
  'prints "%s", and fails',
  (message) => {
    expect(check(PERSON, message)).toEqual({ status: 1, stdout: expect.stringContaining(message) as string })
  },
)

it('fails on a range that does not exist, and accepts an empty one', () => {
  const env = { PATH: process.env['PATH'] }
  expect(spawnSync(CHECK, ['no-such-branch..HEAD'], { cwd: ROOT, env }).status).toBe(128)
  expect(spawnSync(CHECK, ['HEAD..HEAD'], { cwd: ROOT, env }).status).toBe(0)
})

it.each([
  [LONGEST, 0],
  ['fix: accept "$(exit 1)" and `exit 1`', 0],
  ['Fix the replay', 1],
])('the workflow checks the title of a pull request: %s', (title, status) => {
  const workflow = readFileSync(join(ROOT, '.github/workflows/check.yml'), 'utf8')
  const [, line] = /run: (.+\.ci\/commits -)/.exec(workflow)!
  const env = { ...process.env, TITLE: title }
  expect(spawnSync(line!, { shell: true, cwd: ROOT, env }).status).toBe(status)
})
