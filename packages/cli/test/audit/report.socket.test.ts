import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { file } from '../support/files.js'
import { apiKey, secret } from '../support/truth.js'
import { audit, auditAsJson } from './support/audit.js'
import { partlyWeak } from './support/partly-weak.js'
import { endpointOf } from './support/recipe.js'
import { serve } from './support/serve.js'

describe('the report for people', () => {
  it('has a row for each case, and the score', async () => {
    const url = await serve(endpointOf({}))
    const { code, stdout, stderr } = await audit(url, { only: 'tampered' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.split('\n')
    expect(lines[0]).toBe(`Audit of ${url}`)
    expect(lines).toContain(
      '\u2502 tampered amount         \u2502 an amount of 50.5 turned into 5050.5 \u2502 4xx         \u2502 401         \u2502 ok      \u2502',
    )
    expect(lines.filter((line) => line.endsWith(' ok      \u2502'))).toHaveLength(8)
    expect(lines.at(-2)).toBe('Score: 8/8 (100 %)')
    expect(stdout).toContain('whether a delivery that comes twice is handled once')
    expect(stripVTControlCharacters(stdout)).toBe(stdout)
  })

  it('tells the weaknesses, the worst first, and what each would cost', async () => {
    const { code, stdout } = await audit(await serve(partlyWeak))
    expect(code).toBe(1)
    const found = [
      'It accepts what it must refuse:',
      '- stale by an hour (got 204; sound is 4xx)',
      '  Whoever saw a delivery once, in a log or a proxy, can play it again.',
      '- four minutes ahead (got 204; sound is 4xx)',
      'It loses what is genuine:',
      '- genuine intent (got 500; sound is 2xx)',
      '  Orders whose end only the intent event tells stay open.',
      'Its answers tell too much:',
      '- answers that are alike (got 401, 204, not alike; sound is all alike)',
      'It neither accepts nor refuses:',
    ]
    const lines = stdout.split('\n')
    expect(lines.filter((line) => found.includes(line))).toEqual(found.slice(0, -1))
  })

  it('begins with it when genuine deliveries are refused, and goes on', async () => {
    const url = await serve((_req, res) => res.writeHead(401).end())
    const { code, stdout } = await audit(url, { only: 'stale' })
    expect(code).toBe(1)
    expect(stdout.split('\n')[0]).toBe(
      'The endpoint refuses genuine deliveries (401). Is this the right address, and the right secret? ' +
        'As long as it does, it proves little that it refuses others.',
    )
    expect(stdout).toMatch(/\u2502 genuine purchase .* loses/)
    expect(stdout).toContain('Score: 2/3 (66 %)')
  })

  it('has color where there is color', async () => {
    const url = await serve(partlyWeak)
    const { stdout } = await audit(url, { only: 'stale by' }, { hasColor: true })
    expect(stdout).toContain('\u001b[31maccepts\u001b[39m')
    expect(stripVTControlCharacters(stdout)).toContain('Score: 0/1 (0 %)')
  })
})

describe('the clock of the endpoint', () => {
  it.each([
    [-3600, "The endpoint's clock is 3600 s behind this one."],
    [95, "The endpoint's clock is 95 s ahead of this one."],
  ])('is told when it is off by %i s', async (seconds, sentence) => {
    const now = 1743090080
    const url = await serve((_req, res) => {
      res.writeHead(401, { Date: new Date((now + seconds) * 1000).toUTCString() }).end()
    })
    const clock = { now: () => now * 1000 + 400 }
    const options = { only: 'genuine purchase' }
    const { stdout } = await audit(url, options, clock)
    expect(stdout.split('\n')[0]).toContain(sentence)
    expect((await auditAsJson(url, options, clock)).notes).toEqual([sentence])
  })

  it.each([
    ['is near', new Date(1743090080 * 1000 + 30_000).toUTCString()],
    ['is not told', ''],
  ])('is not told when it %s', async (_what, date) => {
    const url = await serve((_req, res) => {
      res.sendDate = false
      res.writeHead(204, date === '' ? {} : { Date: date }).end()
    })
    const clock = { now: () => 1743090080 * 1000 }
    expect(await auditAsJson(url, { only: 'genuine' }, clock)).toMatchObject({ notes: [] })
  })
})

describe('no report', () => {
  it('holds a key, even when the endpoint tells it', async () => {
    const path = file('', 'junit.xml')
    const url = await serve((req, res) => {
      const told = `${secret} ${apiKey} ${String(req.headers['service-signature'])}`
      const reason = { 'X-Reason': told, Location: `/${told.slice(0, 40)}` }
      res.writeHead(302, `moved to ${secret}`, reason).end(told)
    })
    for (const json of [{}, { json: true }] as const) {
      const { stdout, stderr } = await audit(url, { ...json, junit: path })
      for (const key of [secret, apiKey]) {
        expect(stdout + stderr + readFileSync(path, 'utf8')).not.toContain(key)
      }
    }
  })
})
