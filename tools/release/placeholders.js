// npm accepts a trusted publisher only for a package that exists, so that each name first gets an empty version 0.0.0.
// Packs these, and prints the commands around the first release; it runs none of them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { pack } from '../npm.js'
import { metadataFaults, readPackages } from './metadata.js'

/**
 * @param {string} root
 * @param {string} out a folder that is replaced
 * @returns the lines of a shell
 */
export async function makePlaceholders(root, out) {
  rmSync(out, { recursive: true, force: true })
  const published = readPackages(root).filter(({ manifest }) => manifest.private !== true)
  for (const { folder, manifest } of published) {
    const { name, license, author, homepage, repository, bugs } = manifest
    const description = 'Empty: it reserves the name. Use a later version.'
    const empty = { name, version: '0.0.0', description, license, author, homepage, repository, bugs }
    mkdirSync(join(out, folder), { recursive: true })
    writeFileSync(join(out, folder, 'package.json'), JSON.stringify(empty))
  }
  writeFileSync(
    join(out, 'package.json'),
    JSON.stringify({ private: true, workspaces: ['packages/*', 'sandbox'] }),
  )
  const folders = published.map(({ folder }) => folder)
  const packed = await pack(out, folders, out)
  const names = published.map(({ manifest }) => manifest.name)
  const repository = published[0]?.manifest.repository?.url.split('/').slice(-2).join('/').replace('.git', '')
  const trust = `--file release.yml --repository ${repository} --environment npm --allow-publish --yes`
  return [
    '# Before the first release, after npm login:',
    ...packed.map(({ filename }) => `npm publish ${relative('.', join(out, filename))} --access public`),
    '# The first of these asks for a second factor, and offers to skip it for five minutes:',
    ...names.flatMap((name) => [`npm trust github ${name} ${trust}`, 'sleep 2']),
    '# After the first release:',
    ...names.map((name) => `npm deprecate ${name}@0.0.0 "Empty. Use a later version."`),
  ]
}

const [, script = '', ...args] = process.argv
if (resolve(script) === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const { values } = parseArgs({ args, options: { 'placeholder-owner': { type: 'boolean' } } })
  const faults = metadataFaults(root, values)
  if (faults.length === 0)
    console.log((await makePlaceholders(root, join(root, 'release-packages/0.0.0'))).join('\n'))
  else console.error(faults.join('\n'))
  process.exitCode = Math.min(faults.length, 1)
}
