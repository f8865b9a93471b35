import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { formatHtml, formatJson, formatJunit, formatMarkdown, formatText } from '../../src/index.js'
import { auditOf } from '../support/audit.js'
import { partlyWeak } from '../support/partly-weak.js'
import { endpointOf } from '../support/recipe.js'
import { serve } from '../support/serve.js'
import { apiKey, secret } from '../support/truth.js'

describe('the report for a terminal', () => {
  it('has a line for each case, and ends with the result', async () => {
    const url = await serve(endpointOf({}))
    const text = formatText(await auditOf(url, { groups: ['tampered'] }))
    const lines = text.split('\n')
    expect(lines.slice(0, 4)).toEqual([
      `Audit of ${url} (v3)`,
      '',
      'tampered',
      '  ok       tampered amount          an amount of 50.5 turned into 5050.5  401',
    ])
    expect(lines.filter((line) => line.startsWith('  ok '))).toHaveLength(8)
    expect(lines.slice(-2)).toEqual(['8 of 8 cases passed (100 %).', ''])
    expect(text).toContain('whether a delivery that is sent twice is handled once')
    expect(stripVTControlCharacters(text)).toBe(text)
  })

  it('has one fix for all that an endpoint accepts which verifies nothing', async () => {
    const url = await serve((req, res) => {
      req.resume().on('end', () => res.end('received'))
    })
    const report = await auditOf(url, { groups: ['unsigned', 'keys', 'tampered'] })
    expect(report.conclusion).toBe('It does not verify signatures.')
    expect(report.failed).toBeGreaterThan(15)
    const fix = 'Verify the signature of each delivery first, and refuse the delivery if it does not verify.'
    expect(
      new Set(report.cases.filter(({ weakness }) => weakness === 'accepts').map((each) => each.fix)),
    ).toEqual(new Set([fix]))
    expect(formatText(report).match(/Fix: /g)).toHaveLength(1)
  })

  it('lists the fixes, the worst failure first, and groups cases with the same fix', async () => {
    const text = formatText(await auditOf(await serve(partlyWeak)))
    const found = [
      'It accepts deliveries that it must refuse:',
      '- stale by an hour: got 204; expected 4xx',
      '  Anyone who has seen a delivery once, in a log or a proxy, can repeat it',
      '  forever.',
      '  Fix: Refuse a delivery whose "t" is more than 300 seconds old.',
      '- four minutes ahead: got 204; expected 4xx',
      '- ten years ahead: got 204; expected 4xx',
      '  Fix: Refuse a delivery whose "t" is more than 60 seconds ahead of the clock.',
      'It does not accept valid deliveries:',
      '- genuine intent: got 500; expected 2xx',
      'Its answers reveal too much:',
      '- answers that are alike: got 401, 204 and not alike; expected all alike',
    ]
    const lines = text.split('\n')
    expect(lines.filter((line) => found.includes(line))).toEqual(found)
    expect(lines).toContain('  accepts  stale by an hour         signed an hour ago                    204')
    expect(text).toContain('62 of 68 cases passed (91 %).')
  })

  it('begins with the problem if the audit ended early', async () => {
    const text = formatText(await auditOf(await serve((_req, res) => res.writeHead(401).end())))
    expect(text.split('\n').slice(2, 5)).toEqual([
      'The endpoint answers 401 to valid deliveries: most likely it has another key.',
      expect.stringMatching(/^The audit signed with the secret sha256:/),
      'concluded, because a wrong key looks the same to every case.',
    ])
    expect(text).not.toContain('Fix:')
    expect(text).not.toContain('Not run:')
    expect(text.endsWith('\n\nStopped early: 0 passed, 2 failed, 66 of 68 not run.\n')).toBe(true)
    expect(text).not.toContain('No answer shows')
  })

  it('reports that it was cancelled', async () => {
    const controller = new AbortController()
    const onCase = () => {
      controller.abort()
    }
    const url = await serve(endpointOf({}))
    const text = formatText(await auditOf(url, { signal: controller.signal, onCase, groups: ['genuine'] }))
    expect(text).toContain('\n\nNot run: 20 of genuine.\n\n')
    expect(text.endsWith('Cancelled: 1 passed, 0 failed, 20 of 21 not run.\n')).toBe(true)
  })

  it('has colors if they are asked for', async () => {
    const url = await serve(partlyWeak)
    const bad = formatText(await auditOf(url, { only: 'stale by' }), { color: true })
    expect(bad).toContain('\u001b[31maccepts \u001b[39m')
    expect(bad).toContain(
      '\u001b[31m0 of 1 cases passed (0 %). It accepts deliveries that were signed long ago, or ahead of time.\u001b[39m',
    )
    const good = formatText(await auditOf(url, { only: 'tampered amount' }), { color: true })
    expect(good).toContain('\u001b[32m1 of 1 cases passed (100 %).\u001b[39m')
  })

  it('is as wide as the option "width"', async () => {
    const report = await auditOf(await serve(partlyWeak), { only: 'stale by' })
    expect(formatText(report, { width: 40 })).toContain(
      '\n  Anyone who has seen a delivery once,\n  in a log',
    )
  })
})

describe('the report as JSON', () => {
  it('contains the whole report', async () => {
    const report = await auditOf(await serve(partlyWeak), { groups: ['time'] })
    expect(JSON.parse(formatJson(report))).toEqual(report)
  })
})

describe('the report as HTML', () => {
  it('contains everything, and loads nothing else', async () => {
    const report = await auditOf(`${await serve(partlyWeak)}/<b>`)
    const html = formatHtml(report)
    for (const { name, title } of report.cases) {
      expect(html).toContain(`>${name.replaceAll('"', '&#34;')}</th><td>${escaped(title)}</td>`)
    }
    for (const { cost, fix } of report.cases.filter(({ outcome }) => outcome === 'failed')) {
      expect(html).toContain(escaped(cost))
      expect(html).toContain(escaped(fix))
    }
    expect(html).toContain('62 of 68 cases passed (91 %)')
    expect(html).toContain(escaped(report.notes[0] ?? 'No answer shows'))
    expect(html).not.toMatch(/<script|src=|href=|url\(|@import/)
    expect(html).not.toContain('<b>')
  })

  it('leaves out empty sections', async () => {
    const url = await serve(endpointOf({}))
    const html = formatHtml(await auditOf(url, { only: 'stale' }))
    expect(html).toContain('<p class="summary good">2 of 2 cases passed (100 %)</p>')
    expect(html).not.toContain('What to fix')
    expect(html).not.toContain('class="problem"')
    expect(html.match(/<caption>/g)).toHaveLength(1)
  })

  it('reports why the audit ended early', async () => {
    const report = await auditOf(await serve((_req, res) => res.writeHead(401).end()))
    const html = formatHtml(report)
    expect(html).toContain(`<p class="problem">${escaped(report.problem!)}</p>`)
    expect(html).toContain('<td>not run</td>')
    expect(html).not.toContain('<h2>Notes</h2>')
  })
})

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

describe('the report as Markdown', () => {
  it('is the verdict, and a row for each fix with the cases that need it', async () => {
    const report = await auditOf(await serve(partlyWeak), { only: 'ahead' })
    expect(formatMarkdown(report)).toBe(
      [
        '### Webhook audit: 1 of 3 cases passed (33 %). It accepts deliveries that were signed long ago, or ahead of time',
        '',
        '| Failed | What it costs | Fix |',
        '| --- | --- | --- |',
        '| four minutes ahead, ten years ahead ' +
          '| The time may be as far in the future as in the past: a delivery can be repeated for twice as long. ' +
          '| Refuse a delivery whose "t" is more than 60 seconds ahead of the clock. |',
        '',
      ].join('\n'),
    )
  })

  it('is the verdict alone if nothing failed', async () => {
    const report = await auditOf(await serve(endpointOf({})), { only: 'stale' })
    expect(formatMarkdown(report)).toBe('### Webhook audit: 2 of 2 cases passed (100 %)\n')
  })

  it('is the problem if the audit ended early', async () => {
    const report = await auditOf(await serve((_req, res) => res.writeHead(401).end()))
    expect(formatMarkdown(report)).toBe(
      `### Webhook audit: Stopped early: 0 passed, 2 failed, 66 of 68 not run\n\n${report.problem!}\n`,
    )
  })

  it('is short, however many cases failed', async () => {
    const report = await auditOf(await serve(partlyWeak), { only: 'stale by' })
    const failed = (fix: string) => Array.from({ length: 5 }, () => ({ ...report.cases[0]!, fix }))
    const cases = 'abcdefghijkl'.split('').flatMap((letter) => failed(`Fix ${letter}.`))
    const markdown = formatMarkdown({ ...report, cases })
    expect(
      markdown.match(/^\| stale by an hour, stale by an hour, stale by an hour and 2 more \| /gm),
    ).toHaveLength(10)
    expect(markdown).toMatch(/\| Fix a\. \|\n[^]*\| Fix j\. \|\n\n10 other cases failed\.\n$/)
  })

  it('shows every character of a text as it is', async () => {
    const report = await auditOf(await serve(partlyWeak), { only: 'stale by' })
    const [failed] = report.cases
    const cases = [{ ...failed!, name: '__proto__', cost: 'a|b', fix: 'Use <b> & `c`, not [d](e) or *f*.' }]
    expect(formatMarkdown({ ...report, cases })).toContain(
      String.raw`| \_\_proto\_\_ | a\|b | Use \<b\> \& \`c\`, not \[d\](e) or \*f\*. |`,
    )
  })
})

describe('no report', () => {
  it('contains a key, even if the endpoint sends it', async () => {
    const url = await serve((req, res) => {
      const revealed = `${secret} ${apiKey} ${String(req.headers['service-signature'])}`
      const reason = { 'X-Reason': revealed, Location: `/${revealed.slice(0, 40)}` }
      res.writeHead(200, `accepted with ${secret}`, reason).end(revealed)
    })
    const report = await auditOf(url)
    expect(report.failed).toBeGreaterThan(35)
    for (const format of [formatText, formatJson, formatJunit, formatHtml, formatMarkdown]) {
      const text = format(report)
      for (const key of [secret, apiKey]) expect(text).not.toContain(key)
    }
  })
})
