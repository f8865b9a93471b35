import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseSignatureHeader, verifySignatureSync, type Version } from '../../src/entries/index.js'
import { isMissing } from '../../../../test/contract/src/services.js'

const page = readFileSync(new URL('../../../../docs/specification.md', import.meta.url), 'utf8')
const [, example = ''] = /^## Worked example\n([^]*?)^## /m.exec(page)!
/** Each command of the example, and the output that the page shows for it. */
const steps = Array.from(
  example.matchAll(/^```sh\n([^]*?)\n```\n\n```text\n([^]*?)\n```$/gm),
  ([, command, output]) => ({ command: command!, output: output! }),
)
const body = blockAfter('body')
const header = blockAfter('header')
const value = (name: string) => new RegExp(`^\\| ${name} +\\| \`([^\`]+)\``, 'm').exec(example)![1]!
const [secret, apiKey, t] = [value('signing secret'), value('account API key'), value('`t`')]

function blockAfter(marker: string): string {
  return new RegExp(`<!-- ${marker} -->\n\n\`\`\`\\w+\n([^]*?)\n\`\`\``).exec(example)![1]!
}

function run(command: string): string {
  return execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim()
}

it('the example has a command for the base64 text and for each version', () => {
  expect(steps).toHaveLength(4)
  expect(steps.filter(({ command }) => command.includes('openssl dgst -sha256 -hmac'))).toHaveLength(3)
})

it.skipIf(isMissing('openssl')).each(steps)(
  'openssl prints what the page shows for: $command',
  ({ command, output }) => {
    expect(run(command)).toBe(output)
  },
)

it('the commands use the body, the keys and the time of the example', () => {
  const [base64, v3, v2, v1] = steps.map(({ command }) => command)
  expect(base64).toContain(`'${body}'`)
  expect(v3).toContain(`'${steps[0]!.output}${t}'`)
  for (const command of [v3, v2]) expect(command).toContain(`-hmac '${secret}'`)
  expect(v1).toContain(`-hmac '${apiKey}'`)
  for (const command of [v2, v1]) expect(command).toContain(`${t}'`)
})

it('the header of the example has the digests of openssl', () => {
  const [, v3, v2, v1] = steps.map(({ command }) => run(command).replace(' *stdin', ''))
  expect(header).toBe(`t=${t},v1=${v1!},v2=${v2!},v3=${v3!}`)
  expect(parseSignatureHeader(header)).toEqual({ timestamp: t, signatures: { v1, v2, v3 } })
})

it.each<Version>(['v1', 'v2', 'v3'])('the library accepts %s of the example', (version) => {
  const now = () => Number(t) * 1000
  const proof = verifySignatureSync(body, header, { secret, apiKey, versions: [version], now })
  expect(proof.versions).toEqual([version])
})

it('the library refuses the body that JavaScript prints again: v1, v3, v2 in all its forms', () => {
  const printed = JSON.stringify(JSON.parse(body))
  expect(page).toContain(`re-serialized by JavaScript is \`${printed}\``)
  const now = () => Number(t) * 1000
  for (const version of ['v1', 'v2', 'v3'] as const) {
    const options = { secret, apiKey, versions: [version], now }
    expect(() => verifySignatureSync(printed, header, options)).toThrow(
      expect.objectContaining({ code: 'ERR_SIGNATURE_MISMATCH' }),
    )
  }
})
