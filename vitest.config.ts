import { defineConfig } from 'vitest/config'

// One project per tier; the tier is the suffix of the file name (docs/testing.md).
const tier = (name: string, include: string[], extra: object = {}) => ({
  // A test that runs away must not take the machine with it.
  test: {
    name,
    include,
    exclude: ['**/node_modules/**', '**/dist/**'],
    execArgv: ['--max-old-space-size=2048'],
    setupFiles: ['test/fast-check.setup.ts'],
    // Its own default is one second, which a busy machine needs for less.
    expect: { poll: { timeout: 60_000 } },
    ...extra,
  },
})

/** What controllers, clients and providers promise, whoever serves the API. */
const KUBERNETES_SPECS = [
  'packages/controllers/src/{claim,claim-controllers,group,selection,composite,requirement,managed-definition,package,xr,xr-claim,xrd}/**/*.test.ts',
  'packages/runtime/src/{engine,controller}/*.integration.test.ts',
  'packages/client/src/client.integration.test.ts',
  'packages/controlplane/src/kubernetes/{foreign-objects,external-name-policy}.integration.test.ts',
  'packages/provider-sdk/src/{gate,reconciler,connection,references,conformance,ownership}/*.test.ts',
  'packages/apiserver/src/lifecycle/garbage-collector.integration.test.ts',
  'providers/nop/src/*.test.ts',
  'providers/simcloud/src/{catalogue,controller}/*.integration.test.ts',
  'test/seeds/*.integration.test.ts',
]

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', './test/retried.reporter.ts'],
    projects: [
      tier('unit', ['packages/**/*.test.ts', 'providers/**/*.test.ts'], {
        exclude: ['**/node_modules/**', '**/*.*.test.ts'],
        // Generous: a busy machine must not fail a test that is merely slow.
        testTimeout: 180_000,
        hookTimeout: 120_000,
      }),
      tier('integration', ['{packages,providers,test}/**/*.integration.test.ts'], {
        testTimeout: 180_000,
        hookTimeout: 120_000,
      }),
      // What the shipped personas try over the network, against the bundle; see test/attack/README.md.
      tier('attack', ['test/attack/**/*.attack.test.ts'], { testTimeout: 300_000, hookTimeout: 180_000 }),
      // The same requests to the embedded server and to kube-apiserver; see test/differential/README.md.
      tier('differential', ['test/**/*.differential.test.ts'], { testTimeout: 600_000, hookTimeout: 120_000 }),
      // The same specs on a real kube-apiserver, and what only a real one can show; see test/kubernetes/README.md.
      tier('kubernetes', [...KUBERNETES_SPECS, 'test/kubernetes/**/*.kubernetes.test.ts', 'test/attack/**/*.attack.test.ts'], {
        // Twenty sequences that wait for Kubernetes' garbage collector at every turn, and the odds over a thousand claims, which are
        // the controllers' own; two control planes at odds are in group/races.
        exclude: ['**/node_modules/**', '**/dist/**', '**/random-sequences.*', '**/selection/race.*'],
        globalSetup: ['test/kubernetes/tier.setup.ts'],
        // Its garbage collector goes on for minutes with its watch of a kind that was deleted and came again under the same name: a test that
        // needs it for objects of its own kind gives that kind a name of its own. How long is waited otherwise: packages/testing/src/patience.ts.
        expect: { poll: { timeout: 180_000 } },
        // Two writers of one object may meet, and what the loser says first is not what it says last. What passed at its second try only is named
        // where it happens and at the end of the run: such tests are mended as they are found.
        retry: 1,
        testTimeout: 300_000,
        hookTimeout: 180_000,
      }),
      // The web console in Chromium, against the bundle; see test/browser/tier.mjs. One browser at a time.
      tier('browser', ['test/**/*.browser.test.ts'], { testTimeout: 300_000, hookTimeout: 180_000, maxWorkers: 1 }),
      // Packages in a real OCI registry; see test/registry/tier.mjs.
      tier('registry', ['test/**/*.registry.test.ts'], { testTimeout: 180_000, hookTimeout: 60_000 }),
      // Real kubectl and controller-runtime programs against the bundle; see test/clients/tier.mjs.
      tier('clients', ['test/**/*.clients.test.ts'], { testTimeout: 150_000, hookTimeout: 60_000 }),
    ],
  },
})
