import { build } from 'vite'

/**
 * What a configuration of Vite builds, in memory. Files of the playground import no Vite themselves: they would find the older
 * one of VitePress, in the folder of the site.
 */
export async function builtFiles(configFile: string) {
  const result = await build({ configFile, logLevel: 'silent', build: { write: false } })
  return [result].flat().flatMap((each) => ('output' in each ? each.output : []))
}
