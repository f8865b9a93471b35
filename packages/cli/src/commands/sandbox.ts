import type { Sandbox } from '@service-signature/sandbox'
import { EXIT, print, type Io } from '@service-signature/terminal'
import { forMachines, pageOf, startSandbox, type StartOptions } from '../sandbox/start.js'

export interface SandboxOptions extends StartOptions {
  readonly json?: true
}

/** Runs the payment service in test mode, until SIGINT or SIGTERM. */
export async function run({ json, ...options }: SandboxOptions, io: Io): Promise<number> {
  const sandbox = await startSandbox(options, io)
  const signal = io.untilSignal()
  print(io, json ? forMachines(sandbox) : forPeople(sandbox))
  await signal
  await sandbox.close()
  return EXIT.good
}

function forPeople(sandbox: Sandbox): string {
  const { secret, apiKeys, accountId, dataFolder } = sandbox
  return [
    `The sandbox is at ${pageOf(sandbox)}`,
    `account ${accountId}`,
    `API key ${apiKeys.account}`,
    `public key ${apiKeys.public}`,
    `organization key ${apiKeys.organization}`,
    `signing secret ${secret}`,
    ...(dataFolder === undefined ? [] : [`data in ${dataFolder}`]),
  ].join(' | ')
}
