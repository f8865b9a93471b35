// Compiles an application as projects of Nest are compiled, in CommonJS and as ES modules, and sends to it on both of
// Nest's platforms.
const { deepStrictEqual, strictEqual } = require('node:assert')
const { spawnSync } = require('node:child_process')
const { mkdirSync, cpSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { transactionEvent } = require('@service-signature/core/testing')
const { SECRET, sendAll } = require('./delivery.cjs')
const { startServer } = require('./server.cjs')

// As `nest new` writes it.
const OPTIONS = {
  ...{ experimentalDecorators: true, emitDecoratorMetadata: true, isolatedModules: true, strict: true },
  ...{ target: 'es2022', esModuleInterop: true, skipLibCheck: true, rootDir: 'src', outDir: 'dist' },
}
const MODES = [
  { mode: 'commonjs', type: 'commonjs', module: 'commonjs', moduleResolution: 'node10' },
  { mode: 'nodenext', type: 'commonjs', module: 'nodenext' },
  { mode: 'nodenext-esm', type: 'module', module: 'nodenext' },
]
const BODY = JSON.stringify(transactionEvent({ intent: { amount: { value: 7.1 } } }))

async function check() {
  for (const { mode, type, ...module } of MODES) {
    const folder = join('modes', mode)
    compile(folder, type, module)
    for (const platform of ['express', 'fastify']) {
      console.log(`${mode}, ${platform}`)
      await deliver(join(folder, 'dist/main.js'), platform)
    }
  }
}

/** Each mode has a folder of its own, because the package.json above a file decides what kind of module it is. */
function compile(folder, type, module) {
  mkdirSync(folder, { recursive: true })
  cpSync('src', join(folder, 'src'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }))
  const project = { compilerOptions: { ...OPTIONS, ...module }, include: ['src'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  const tsc = require.resolve('typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [tsc, '--project', folder], { encoding: 'utf8' })
  strictEqual(status, 0, stdout)
}

async function deliver(script, platform) {
  const env = { ...process.env, PLATFORM: platform, WEBHOOK_SECRET: SECRET }
  const server = await startServer([script], env, /^listening: (\S+) (\S+)$/)
  try {
    const [dispatched, guarded] = server.urls
    await sendAll(`${dispatched}/api/webhooks`, BODY)
    await sendAll(`${guarded}/api/deliveries`, BODY)
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(`${guarded}/api/orders`, {
      method: 'POST',
      headers,
      body: '{"item":"tea"}',
    })
    strictEqual(await response.text(), 'tea')
  } finally {
    await server.stop()
  }
  const handled = server.lines.filter((line) => /^(?:dispatched|received): /.test(line))
  deepStrictEqual(handled, ['dispatched: 7.1', 'received: 7.1'])
}

check().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
