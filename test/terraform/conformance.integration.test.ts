import { afterAll, beforeAll, describe, it } from 'vitest'
import { conformanceCases, type ConformanceSubject, type ManagedResource } from '../../packages/provider-sdk/src/index.ts'
import { type BridgedWorld, openBridgedWorld } from './bridged-world.ts'
import { ensureTerraformProviders, type TerraformProviders } from './build.mjs'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`tests of Terraform providers are skipped: ${skipped}`)

/** What every provider must do. The provider names its things itself, so cases that look for a thing by a given name do not apply. */
describe.skipIf(skipped !== undefined).each(['sdk', 'framework'] as const)('conformance of bridged kinds, of %s', (kind) => {
  let world: BridgedWorld
  const subject: ConformanceSubject = {
    resource: (name) => ({
      apiVersion: 'things.weft.test/v1',
      kind: 'Thing',
      metadata: { name },
      spec: { deletionPolicy: 'Delete', forProvider: { name, size: 1 }, writeConnectionSecretToRef: { namespace: 'conformance', name } },
    }),
    change: (resource): ManagedResource => ({
      ...resource,
      spec: { ...resource.spec, forProvider: { ...(resource.spec?.['forProvider'] as object), size: 2 } },
    }),
    connectionKeys: ['token', 'attribute.token'],
    identifiedBy: 'parameters',
    external: {},
  }
  beforeAll(async () => {
    world = await openBridgedWorld((built as TerraformProviders)[kind], `weft${kind}_thing`)
  }, 900_000)
  afterAll(() => world.close())

  it.each(conformanceCases(subject))('%s', (_name, run) => run(world, subject))
})
