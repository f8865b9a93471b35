import { describe, expect, it } from 'vitest'
import { loadSandbox } from '../../src/sandbox/start.js'

describe('the package of the sandbox', () => {
  const reject = (error: Error) => () => Promise.reject(error)
  const found = () => '/node_modules/@service-signature/sandbox/package.json'
  const notFound = (error: Error) => () => {
    throw error
  }

  it.each([
    [
      'npm and pnpm',
      'ERR_MODULE_NOT_FOUND',
      "Cannot find package '@service-signature/sandbox' imported from /x.js",
    ],
    ['Bun', 'ERR_MODULE_NOT_FOUND', "Cannot find module '@service-signature/sandbox' from '/x.js'"],
    [
      'Yarn PnP, an optional peer',
      'MODULE_NOT_FOUND',
      "service-signature tried to access @service-signature/sandbox (a peer dependency) but it isn't provided by your application",
    ],
    [
      'older Yarn PnP',
      'MISSING_PEER_DEPENDENCY',
      'service-signature tried to access @service-signature/sandbox',
    ],
    [
      'Yarn PnP, undeclared',
      'UNDECLARED_DEPENDENCY',
      'Your application tried to access @service-signature/sandbox',
    ],
  ])('prints the line that installs the package, if it is missing in %s', async (_, code, message) => {
    const error = Object.assign(new Error(message), { code })
    const failed = loadSandbox({ load: reject(error), resolve: notFound(error) })
    await expect(failed).rejects.toMatchObject({
      exitCode: 2,
      message:
        'The sandbox is a package of its own, and is not installed. Install it next to this command:\n' +
        'npm install --save-dev @service-signature/sandbox',
    })
  })

  it.each([
    ["Cannot find package 'fastify' imported from /node_modules/@service-signature/sandbox/dist/index.mjs"],
    ['@service-signature/sandbox tried to access fastify, but it is not declared in its dependencies'],
  ])('leaves every other error as it is: %s', async (message) => {
    const error = Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
    await expect(loadSandbox({ load: reject(error), resolve: found })).rejects.toBe(error)
  })

  it('looks for the package from where the command is', async () => {
    const error = new Error('The sandbox fails while it is loaded')
    await expect(loadSandbox({ load: reject(error) })).rejects.toBe(error)
  })
})
