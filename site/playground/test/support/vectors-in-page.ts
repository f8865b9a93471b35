import type { Page } from 'playwright-core'
import type { PlaygroundCase, SignaturePlayground } from '../../src/index.js'

/** What the playground says about a case. */
export interface Said {
  readonly outcome: string | undefined
  readonly code: string | undefined
  /** Whether everything before the body was parsed is right. */
  readonly isSignatureValid: boolean
}

/** A case whose body is in hex, which is how it reaches the page. */
export interface HexCase extends Omit<PlaygroundCase, 'body'> {
  readonly body: string
}

/** Loads the cases one after the other, and reads what is shown. */
export async function showAll(page: Page, cases: readonly HexCase[]): Promise<readonly Said[]> {
  return page.evaluate(async (list) => {
    const playground = document.querySelector<SignaturePlayground>('signature-playground')!
    const said: Said[] = []
    for (const { body, ...given } of list) {
      const bytes = Uint8Array.from(body.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
      const { report } = await playground.setCase({ ...given, body: bytes })
      const verdict = playground.shadowRoot!.querySelector<HTMLElement>('.verdict')!
      said.push({
        outcome: verdict.dataset['outcome'],
        code: /ERR_\w+/.exec(verdict.textContent)?.[0],
        isSignatureValid: report!.checks
          .filter(({ name }) => name !== 'body is JSON' && name !== 'event recognized')
          .every(({ outcome }) => outcome === 'passed'),
      })
    }
    return said
  }, cases)
}
