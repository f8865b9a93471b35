import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readPackages } from '../release/metadata.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const listed = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: root, encoding: 'utf8' })

/** The versions of each package that the lock files install, which are those that are tested. */
const tested = new Map<string, Set<string>>()
for (const file of listed.trim().split('\n')) {
  const { packages } = JSON.parse(readFileSync(root + file, 'utf8')) as {
    packages: Record<string, { name?: string; version?: string }>
  }
  for (const [path, { name = path.split('node_modules/').at(-1)!, version }] of Object.entries(packages)) {
    if (version !== undefined) tested.set(name, (tested.get(name) ?? new Set()).add(version))
  }
}

/** The numbers that may not change within a caret range: the major, and for 0.x the minor. */
function seriesOf(version: string): string {
  return /^(?:0\.\d+|\d+)/.exec(version)![0]
}

const published = readPackages(root).filter(({ manifest }) => manifest.private !== true)
const peers = published.flatMap(({ manifest: { name, peerDependencies = {} } }) =>
  Object.entries(peerDependencies)
    .filter(([peer]) => !peer.includes('service-signature'))
    .map(([peer, range]) => ({ name, peer, range })),
)

describe.each(peers)('the peer range "$range" of $peer in $name', ({ peer, range }) => {
  it('is a list of caret ranges that ends at one that is tested', () => {
    const carets = range.split(' || ')
    for (const caret of carets) expect(caret).toMatch(/^\^\d+\.\d+\.\d+$/)
    const series = [...(tested.get(peer) ?? [])].map(seriesOf)
    expect(series).toContain(seriesOf(carets.at(-1)!.slice(1)))
  })
})
