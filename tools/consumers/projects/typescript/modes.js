// The ways in which a merchant's TypeScript may look for modules, and the compilers.
export const modes = [
  { mode: 'commonjs', type: 'commonjs', compilerOptions: { module: 'commonjs' } },
  { mode: 'node16', type: 'commonjs', compilerOptions: { module: 'node16' } },
  { mode: 'node16-esm', type: 'module', compilerOptions: { module: 'node16' } },
  { mode: 'nodenext', type: 'module', compilerOptions: { module: 'nodenext' } },
  { mode: 'bundler', type: 'module', compilerOptions: { module: 'esnext', moduleResolution: 'bundler' } },
]

// The oldest finds in the declarations of others, and in ours, types that it does not know yet: it checks the program alone.
export const compilers = [
  { compiler: 'typescript', skipLibCheck: false },
  { compiler: 'oldest-typescript', skipLibCheck: true },
]
