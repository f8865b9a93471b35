import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { audit } from './support/audit.js'
import { endpointOf } from './support/recipe.js'
import { serve } from './support/serve.js'

describe('the progress', () => {
  it('is a bar on standard error, where a person sees it', async () => {
    const screen = Object.assign(new Screen(), { isTTY: true, columns: 80 })
    const url = await serve(endpointOf({}))
    const { stdout } = await audit(url, { only: 'stale' }, { isTerminal: true, stderr: screen })
    expect(screen.text).toContain('Auditing [')
    expect(screen.text).toContain('] 0/2')
    expect(screen.text.endsWith('\u001b[2K'), 'wiped at the end').toBe(true)
    expect(stdout).not.toContain('Auditing [')
    expect(stdout).toContain('Score: 2/2')
  })

  it('ends when the audit fails', async () => {
    const screen = Object.assign(new Screen(), { isTTY: true, columns: 80 })
    const url = await serve((req) => req.socket.end('no HTTP'))
    await expect(audit(url, {}, { isTerminal: true, stderr: screen })).rejects.toThrow('no HTTP answer')
    expect(screen.text).toContain('Auditing [')
    expect(screen.text.endsWith('\u001b[2K'), 'wiped at the end').toBe(true)
  })
})

class Screen extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: unknown, done: () => void): void {
    this.text += String(chunk)
    done()
  }
}
