import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * A package of this checkout, or of another built one to compare it with.
 *
 * @param name its folder
 */
export async function importPackage(name, checkout) {
  if (checkout === undefined) return import(`@service-signature/${name}`)
  const folder = resolve(checkout, 'packages', name)
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return import(pathToFileURL(join(folder, exports['.'].import.default)).href)
}

/** Whether the other checkout has the package, built. */
export function hasPackage(name, checkout) {
  return existsSync(resolve(checkout, 'packages', name, 'dist'))
}
