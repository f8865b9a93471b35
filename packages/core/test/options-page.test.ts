import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { FetchSecretOptions } from '../src/entries/index.js'
import type { ReceiverOptions } from '../src/entries/receiver.js'

/** The options that a page has at the start of a row or of an item of a list, below these headings. */
function optionsOf(name: string, ...headings: readonly string[]): string[] {
  const page = readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')
  const sections = headings.map((heading) => page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!)
  return sections.flatMap((section) =>
    Array.from(section.matchAll(/^[|-] `(\w+)`[ :]/gm), ([, option]) => option!),
  )
}

it('docs/options.md lists every option of the adapters', () => {
  // Typed, so that a new option has to be added here.
  const expected: Record<keyof ReceiverOptions<unknown>, true> = {
    secret: true,
    apiKey: true,
    versions: true,
    expect: true,
    toleranceSeconds: true,
    futureToleranceSeconds: true,
    now: true,
    verifier: true,
    name: true,
    bodyLimit: true,
    bodyTimeoutSeconds: true,
    dispatcher: true,
    onVerified: true,
    onRejected: true,
    onDuplicate: true,
    onUnhandled: true,
    onFailed: true,
    replay: true,
    replayKey: true,
    onStoreError: true,
    storeTimeoutSeconds: true,
  }
  const headings = ['Verifier options', 'Adapter options', 'Hooks', 'Replay options']
  expect(optionsOf('options', ...headings)).toEqual(Object.keys(expected))
})

it('docs/secrets.md lists every option of fetchSecret', () => {
  const expected: Record<keyof FetchSecretOptions, true> = {
    baseUrl: true,
    apiKey: true,
    allowInsecureHttp: true,
    maxAgeSeconds: true,
    staleSeconds: true,
    timeoutSeconds: true,
    refreshCooldownSeconds: true,
    fetch: true,
    cache: true,
    now: true,
  }
  expect(optionsOf('secrets', 'Options of fetchSecret')).toEqual(Object.keys(expected))
})
