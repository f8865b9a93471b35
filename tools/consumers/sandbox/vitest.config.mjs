export default {
  test: { include: ['*.vitest.mjs'], globalSetup: './vitest/sandbox-setup.mjs' },
}
