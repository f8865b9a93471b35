import { readFileSync } from 'node:fs'

let version: string | undefined

/** The version of this package. From the sources and from the bundle, the path to it is the same. */
export function packageVersion(): string {
  version ??= (
    JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  ).version
  return version
}
