// The packages that are only ES modules, as a CommonJS file loads them. It ends well, or it throws.
async function main(): Promise<void> {
  const { audit } = await import('@service-signature/audit')
  const { startSandbox } = await import('@service-signature/sandbox')
  const sandbox = await startSandbox({ seed: 1 })
  const report = await audit(`${sandbox.url}/no-endpoint`, { secret: sandbox.secret, groups: ['genuine'] })
  await sandbox.close()
  if (report.passed > 0) throw new Error('The audit of no endpoint passed')
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
