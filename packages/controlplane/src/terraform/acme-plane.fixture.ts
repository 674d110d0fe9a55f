import { join } from 'node:path'
import { type Client, createClient } from '@weft/client'
import { inProcessTransport } from '@weft/plane'
import { ADMINISTRATOR } from '@weft/testing'
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from '../control-plane.ts'
import type { AcmePrograms } from './acme.fixture.ts'

export interface AcmePlane {
  readonly plane: ControlPlane
  /** Its administrator. */
  readonly client: Client
}

/** A control plane over the data in this folder, where executables are the Terraform providers that a test makes of them. */
export async function startAcmePlane(
  home: string,
  terraformPrograms: AcmePrograms,
  more: Partial<ControlPlaneOptions> = {},
): Promise<AcmePlane> {
  const plane = await startControlPlane({
    dataDir: join(home, 'data'),
    providers: [],
    providerExecutables: true,
    packagePaths: [home],
    terraformPrograms,
    log: () => {},
    ...more,
  })
  return { plane, client: createClient({ transport: inProcessTransport(plane.api, ADMINISTRATOR), fieldManager: 'test' }) }
}
