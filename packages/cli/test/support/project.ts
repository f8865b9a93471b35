import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** A project in an empty folder, which ends with the test that runs. */
export class TestProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'service-signature-init-'))

  constructor(files: Readonly<Record<string, string | object>>) {
    onTestFinished(() => {
      rmSync(this.folder, { recursive: true })
    })
    for (const [path, content] of Object.entries(files)) this.write(path, content)
  }

  write(path: string, content: string | object): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8')
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path))
  }

  /** Installs packages of the workspace, as they are built. */
  install(...names: readonly string[]): void {
    for (const name of names) {
      const place = join(this.folder, 'node_modules', name)
      mkdirSync(dirname(place), { recursive: true })
      symlinkSync(fileURLToPath(new URL(`../../../../node_modules/${name}`, import.meta.url)), place)
    }
  }
}
