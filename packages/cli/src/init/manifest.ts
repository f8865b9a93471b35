import { printable } from '@service-signature/deliveries'
import { UsageError } from '@service-signature/terminal'
import { isDeepStrictEqual } from 'node:util'
import { readText } from './files.js'

/** The fields of package.json that are used. All but the scripts may have any type. */
export type Manifest = Readonly<Partial<Record<'type' | 'dependencies' | 'devDependencies', unknown>>> & {
  readonly scripts?: Readonly<Record<string, unknown>>
}

/** @throws {UsageError} if package.json is not such an object */
export function readManifest(folder: string): Manifest {
  const manifest = parse(readText(folder, 'package.json')!)
  if (!isObject(manifest)) throw new UsageError('package.json must be a JSON object')
  if (manifest['scripts'] !== undefined && !isObject(manifest['scripts']))
    throw new UsageError('The "scripts" of package.json must be an object')
  return manifest
}

/** The text of package.json with a script, and no other change. Undefined if the place of the script is not certain. */
export function withScript(text: string, name: string, command: string): string | undefined {
  const manifest = parse(text) as Manifest
  const wanted = { ...manifest, scripts: { ...manifest.scripts, [name]: command } }
  const value = JSON.stringify(command)
  const edits = manifest.scripts === undefined ? [appended(text, name, value)] : inserted(text, name, value)
  return edits.find((edited) => isDeepStrictEqual(parse(edited), wanted))
}

/** The script with another command, or as the first of the scripts. */
function inserted(text: string, name: string, value: string): readonly string[] {
  const [place, ...others] = text.matchAll(/"scripts"(\s*:\s*)\{/g)
  if (place === undefined || others.length > 0) return []
  const end = place.index + place[0].length
  const [head, rest] = [text.slice(0, end), text.slice(end)]
  const [space] = /^\s*/.exec(rest)!
  const comma = rest.startsWith('}', space.length) ? '' : ','
  const script = new RegExp(String.raw`("${name}"\s*:\s*)"(?:[^"\\]|\\.)*"`)
  return [
    head + rest.replace(script, (_, key: string) => key + value),
    `${head}${space}"${name}"${place[1]!}${value}${comma}${rest}`,
  ]
}

/** The scripts as the last field. */
function appended(text: string, name: string, value: string): string {
  const end = text.lastIndexOf('}')
  const head = text.slice(0, end).trimEnd()
  const [, space] = /^\s*\{(\s*)/.exec(text)!
  const comma = head.endsWith('{') ? '' : ','
  return `${head}${comma}${space!}"scripts": { "${name}": ${value} }${text.slice(head.length)}`
}

/** Some editors begin a file with a byte order mark. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`package.json is not JSON: ${printable((error as Error).message)}`)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
