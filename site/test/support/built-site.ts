import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** The file that a web server has for an address, such as start.html for /start. */
function fileAt(address: string): string | undefined {
  const path = decodeURIComponent(address).slice(1)
  const files = [path, `${path}.html`, `${path}index.html`].map((file) => dist + file)
  return files.find((file) => existsSync(file) && statSync(file).isFile())
}

/** The page at an address, if there is one. */
export function htmlAt(address: string): string | undefined {
  const file = fileAt(address)
  return file?.endsWith('.html') ? readFileSync(file, 'utf8') : undefined
}

/** The addresses of all pages. */
export function addresses(): string[] {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  const pages = files.filter((file) => file.endsWith('.html') && file !== '404.html')
  return pages.map((file) => `/${file.replace(/(?:(?<=^|\/)index)?\.html$/, '')}`).sort()
}

/** Finds the heading that the search of the site lists first, as the page of VitePress does (VPLocalSearchBox.vue). */
export async function openSearch(): Promise<(question: string) => string | undefined> {
  const chunks = new URL('../../dist/assets/chunks/', import.meta.url)
  const file = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndex'))!
  const index = (await import(String(new URL(file, chunks)))) as { default: string }
  // A dependency of VitePress.
  const engine = new URL('../../node_modules/minisearch/dist/es/index.js', import.meta.url)
  const { default: MiniSearch } = (await import(String(engine))) as { default: Engine }
  const search = MiniSearch.loadJSON(index.default, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
  })
  return (question) => search.search(question)[0]?.id
}

interface Engine {
  loadJSON(json: string, options: object): { search(question: string): { readonly id: string }[] }
}

/** Serves the site on this machine. */
export async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const file = fileAt(new URL(request.url!, 'http://127.0.0.1').pathname)
    if (file === undefined) response.writeHead(404).end()
    else
      response
        .writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' })
        .end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

export function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
