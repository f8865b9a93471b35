import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { progress } from '../progress.js'
import { atMost, round } from '../report/bounds.js'
import { packed, withDependencies } from './size/packages.js'

const OURS = ['core', 'express', 'koa', 'hapi', 'fastify', 'fetch', 'lambda'].map(
  (name) => `@service-signature/${name}`,
)
const PEERS = ['stripe', 'standardwebhooks', 'svix', '@octokit/webhooks-methods']
const MOST_INSTALLED_KB = 2_500
const EDGE_PROGRAMS = {
  'core, verifySignature only': {
    program: "export { verifySignature } from '@service-signature/core'",
    mostKB: 8,
  },
  'core, verify only': { program: "export { verify } from '@service-signature/core'", mostKB: 8 },
  fetch: { program: "export { serviceSignature } from '@service-signature/fetch'", mostKB: 10 },
}
const folder = fileURLToPath(new URL('..', import.meta.url))

/** What is downloaded and what then lies on the disk; and what is sent to an edge. */
export async function size() {
  progress('size', 'packages')
  const rows = [...OURS, ...PEERS].map(sizeOf)
  progress('size', 'edge bundles')
  const bundles = []
  for (const [bundle, { program, mostKB }] of Object.entries(EDGE_PROGRAMS)) {
    bundles.push({ bundle, 'KB, minified and compressed': atMost(await bundledKB(program), mostKB) })
  }
  return [
    { title: 'size', rows },
    { title: 'size, edge bundles', rows: bundles },
  ]
}

/** @param {string} name */
function sizeOf(name) {
  const folders = withDependencies(name, folder)
  const [own, ...dependencies] = packed(folders)
  const all = [own, ...dependencies].reduce((sum, { unpackedSize }) => sum + unpackedSize, 0) / 1000
  return {
    package: name,
    version: own.version,
    license: own.license,
    'packed KB': round(own.size / 1000),
    'installed KB': round(own.unpackedSize / 1000),
    dependencies: dependencies.length,
    'installed with them KB': name === OURS[0] ? atMost(all, MOST_INSTALLED_KB) : round(all),
  }
}

/** @param {string} program */
async function bundledKB(program) {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    conditions: ['worker'],
  })
  return gzipSync(outputFiles[0].contents).length / 1000
}
