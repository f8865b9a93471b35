import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { packAll } from '../../../../tools/consumers/installation.js'
import { run } from '../../../../tools/npm.js'
import { readPackages, type Manifest } from '../../../../tools/release/metadata.js'
import { ROOT } from './printed-commands.js'

/** The entries of a lock file, by their folder. */
type Locked = Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>>

/**
 * A registry for npm on this machine. It has the packages of this repository as they would be published, passes on what these
 * depend on, and knows no other name.
 */
export class Registry {
  /** The names of others that it was asked for. */
  readonly unknown = new Set<string>()
  readonly #server = createServer((req, res) => void this.#answer(req, res))
  readonly #tarballs = new Map<string, string>()
  readonly #manifests = new Map<string, Manifest>()
  readonly #dependencies: ReadonlySet<string>
  readonly #upstream: string

  private constructor(tarballs: Readonly<Record<string, string>>, upstream: string) {
    for (const { manifest } of readPackages(ROOT)) {
      const tarball = tarballs[manifest.name]?.replace(/^file:/, '')
      if (tarball === undefined) continue
      this.#manifests.set(manifest.name, manifest)
      this.#tarballs.set(basename(tarball), tarball)
    }
    this.#dependencies = dependenciesOf('service-signature')
    this.#upstream = upstream.trim().replace(/\/$/, '')
  }

  /** Packs the packages into a folder, and starts. */
  static async start(folder: string): Promise<Registry> {
    const { stdout } = await run(ROOT, ['npm', 'config', 'get', 'registry'])
    const registry = new Registry(await packAll(folder), stdout)
    await once(registry.#server.listen(0, '127.0.0.1'), 'listening')
    return registry
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    const closed = once(this.#server.close(), 'close')
    this.#server.closeAllConnections()
    await closed
  }

  async #answer({ url }: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = decodeURIComponent(url!.slice(1))
    const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(path)!
    const manifest = this.#manifests.get(name)
    if (manifest !== undefined) {
      const file = this.#tarballs.get(basename(path))
      res.end(file === undefined ? JSON.stringify(this.#metadataOf(manifest)) : readFileSync(file))
    } else if (this.#dependencies.has(name)) {
      const answer = await fetch(`${this.#upstream}${url!}`)
      res.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
    } else {
      this.unknown.add(name)
      res.writeHead(404).end('{}')
    }
  }

  #metadataOf(manifest: Manifest) {
    const { name, version } = manifest
    const [file, path] = [...this.#tarballs].find(([file]) => file === fileOf(manifest))!
    const integrity = `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`
    const dist = { tarball: `${this.url}/${name}/-/${file}`, integrity }
    return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
  }
}

/** How npm names the tarball of a package. */
function fileOf({ name, version }: Manifest): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
}

/** What a package depends on, directly or not, as the lock file of the repository has it. */
function dependenciesOf(name: string): ReadonlySet<string> {
  const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as { packages: Locked }
  const folders = new Map(readPackages(ROOT).map(({ folder, manifest }) => [manifest.name, folder]))
  const found = new Set([name])
  for (const each of found) {
    const entries = Object.entries(packages).filter(
      ([path]) => path === folders.get(each) || path.endsWith(`node_modules/${each}`),
    )
    for (const [, { dependencies = {} }] of entries)
      for (const dependency of Object.keys(dependencies)) found.add(dependency)
  }
  return found
}
