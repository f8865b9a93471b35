// Checks that a package has the license of each package that is bundled into it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
/** @import { Package } from './metadata.js' */

const SOURCE = /(?<!\.config|\.d)\.tsx?$/
const TYPE_IMPORT = /^(?:import|export) type [^']*'[^']*'/gm
const IMPORT = /(?:\bfrom |\bimport\(\s*)'((?:@[^/']+\/)?[^./'][^/']*)[^']*'/g

/**
 * The faults of a package, each with its fix.
 *
 * @param {string} root
 * @param {Package} item
 * @param {readonly string[]} files that are packed, by their paths in the package
 */
export function noticeFaults(root, item, files) {
  const texts = files.map((path) => wordsOf(readFileSync(join(root, item.folder, path), 'utf8')))
  return bundledInto(root, item).flatMap((name) => {
    const license = licenseOf(join(root, 'node_modules', name))
    if (license !== undefined && texts.some((text) => text.includes(license))) return []
    return [
      `${item.manifest.name}: no file has the license of ${name}, which is bundled. Add it in the build.`,
    ]
  })
}

/**
 * What the sources import although npm does not install it with the package.
 *
 * @param {string} root
 * @param {Package} item
 */
function bundledInto(root, { folder, manifest }) {
  const installed = { ...manifest.dependencies, ...manifest.peerDependencies }
  /** @type {Set<string>} */
  const found = new Set()
  /** @param {string} of */
  const search = (of) => {
    for (const name of importsOf(join(root, of, 'src')).concat(importsOf(join(root, of, 'page')))) {
      if (found.has(name) || name in installed || name.startsWith('node:')) continue
      found.add(name)
      // A package of the repository that is not published, to which npm links.
      if (name.startsWith('@service-signature/')) search(join('node_modules', name))
    }
  }
  search(folder)
  return [...found].filter((name) => !name.startsWith('@service-signature/')).sort()
}

/** @param {string} folder */
function importsOf(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => SOURCE.test(path))
    .flatMap((path) => {
      const code = readFileSync(join(folder, path), 'utf8').replaceAll(TYPE_IMPORT, '')
      return [...code.matchAll(IMPORT)].map(([, name = '']) => name)
    })
}

/** @param {string} folder */
function licenseOf(folder) {
  const file = existsSync(folder) && readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  return file ? wordsOf(readFileSync(join(folder, file), 'utf8')) : undefined
}

/**
 * Bundlers break lines differently.
 *
 * @param {string} text
 */
function wordsOf(text) {
  return text.trim().replaceAll(/\s+/g, ' ')
}
