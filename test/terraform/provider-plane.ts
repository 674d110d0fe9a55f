import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { findCondition } from '../../packages/api/src/index.ts'
import { type Client, createClient } from '../../packages/client/src/index.ts'
import { conditionsOf } from '../../packages/composition/src/index.ts'
import { type ControlPlane, startControlPlane } from '../../packages/controlplane/src/index.ts'
import { inProcessTransport } from '../../packages/plane/src/index.ts'
import { ADMINISTRATOR, eventually } from '../../packages/testing/src/index.ts'

/** A whole control plane that may run Terraform providers, and a folder where they keep their things. */
export interface ProviderPlane {
  readonly home: string
  readonly things: string
  /** Programs in it may be installed. */
  readonly programs: string
  readonly plane: ControlPlane
  /** An administrator. */
  readonly client: Client
  /** Installs a provider from its program, and waits until it is healthy. */
  install(name: string, source: string, program: string): Promise<void>
  close(): Promise<void>
}

/** A program of some thirty megabytes is read, copied and asked. */
const INSTALLED = { timeoutMs: 180_000 }

export interface ProviderPlaneOptions {
  /** Bundled providers that run, too. */
  readonly bundled?: readonly string[]
}

/** Programs may be installed from these folders. */
export async function openProviderPlane(folders: readonly string[], { bundled = [] }: ProviderPlaneOptions = {}): Promise<ProviderPlane> {
  const home = mkdtempSync(join(tmpdir(), 'weft-tf-'))
  const things = join(home, 'things')
  mkdirSync(things)
  // As root the provider is somebody else.
  writeFileSync(join(things, 'operations.log'), '')
  const programs = join(home, 'programs')
  mkdirSync(programs)
  for (const path of [home, things, join(things, 'operations.log'), programs]) chmodSync(path, 0o777)
  const plane = await startControlPlane({
    dataDir: join(home, 'data'),
    providers: bundled,
    providerExecutables: true,
    packagePaths: [...folders, programs],
    log: () => {},
  })
  const client = createClient({ transport: inProcessTransport(plane.api, ADMINISTRATOR), fieldManager: 'test' })
  return {
    home,
    things,
    programs,
    plane,
    client,
    async install(name, source, program) {
      await client.create({
        apiVersion: 'pkg.crossplane.io/v1',
        kind: 'Provider',
        metadata: { name },
        spec: { package: `terraform:${source}@0.0.1?from=${program}` },
      })
      await eventually(async () => {
        const found = await client.get({ group: 'pkg.crossplane.io', kind: 'Provider' }, { name })
        expect(findCondition(conditionsOf(found), 'Healthy'), JSON.stringify(conditionsOf(found))).toMatchObject({ status: 'True' })
      }, INSTALLED)
    },
    async close() {
      await plane.stop(0)
      rmSync(home, { recursive: true, force: true })
    },
  }
}
