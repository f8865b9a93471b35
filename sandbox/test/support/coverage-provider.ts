import { V8CoverageProvider } from '@vitest/coverage-v8/dist/provider.js'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PAGE_ASSETS } from './page-scripts.js'

type Transform = V8CoverageProvider['transformFile']
type SourceMap = Extract<NonNullable<Awaited<ReturnType<Transform>>>['map'], { readonly sources: unknown }>

const FOLDER = fileURLToPath(PAGE_ASSETS)
const SOURCES = new URL('../../page/', import.meta.url).href

/** Maps the scripts of the built page to its sources, too, with the source maps of the build. */
export class PageCoverageProvider extends V8CoverageProvider {
  override isIncluded(file: string, root?: string): boolean {
    return file.startsWith(FOLDER) ? existsSync(`${file}.map`) : super.isIncluded(file, root)
  }

  override async transformFile(...args: Parameters<Transform>): ReturnType<Transform> {
    const [file] = args
    if (!file.startsWith(FOLDER)) return super.transformFile(...args)
    const [code, map] = await Promise.all([readFile(file, 'utf8'), readFile(`${file}.map`, 'utf8')])
    return { code, map: ofPage(JSON.parse(map) as SourceMap) }
  }
}

/** Other sources in the scripts are tested in Node. A name that does not exist leaves them out of the report. */
function ofPage(map: SourceMap): SourceMap {
  const isOfPage = (path: string) => new URL(path, PAGE_ASSETS).href.startsWith(SOURCES)
  return { ...map, sources: map.sources.map((path) => (isOfPage(path) ? path : `${path}.elsewhere`)) }
}
