import { defineConfig } from 'vitest/config'

// One project per tier; the tier is the suffix of the file name (docs/testing.md).
const tier = (name: string, include: string[], extra: object = {}) => ({
  test: { name, include, exclude: ['**/node_modules/**', '**/dist/**'], ...extra },
})

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      tier('unit', ['packages/**/*.test.ts', 'providers/**/*.test.ts'], {
        exclude: ['**/node_modules/**', '**/*.*.test.ts'],
      }),
      tier('integration', ['{packages,providers,test}/**/*.integration.test.ts'], {
        testTimeout: 60_000,
        hookTimeout: 60_000,
      }),
      // Real kubectl and controller-runtime programs against the bundle; see test/clients/tier.mjs.
      tier('clients', ['test/**/*.clients.test.ts'], { testTimeout: 150_000, hookTimeout: 60_000 }),
    ],
  },
})
