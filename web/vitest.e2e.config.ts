import { defineConfig } from 'vitest/config'

// The files that run in a browser: e2e/*.e2e.ts are tests, e2e/*.screenshots.ts make screenshots,
// e2e/*.bench.ts measure. They run one after another, because each has a service and a browser of
// its own. The time limits only end a test that hangs.
export default defineConfig(({ mode }) => ({
  test: {
    include: [`e2e/**/*.${mode === 'test' ? 'e2e' : mode}.ts`],
    environment: 'node',
    pool: 'forks',
    fileParallelism: false,
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
    disableConsoleIntercept: true,
  },
}))
