import { tmpdir } from 'node:os'
import { EXCEPTION_MARK } from '@weft/apiserver'
import { type Client, createClient, type Transport } from '@weft/client'
import { type ControlPlane, startControlPlane as start } from '@weft/controlplane'
import type { FunctionModules } from '@weft/functions'
import { inProcessTransport } from '@weft/plane'
import { ADMINISTRATOR } from './test-server.ts'

export interface TestControlPlane extends ControlPlane {
  /** As the administrator, in process. */
  readonly client: Client
  readonly transport: Transport
  /** Lines of its log, as `level message`. */
  readonly lines: readonly string[]
}

export interface TestControlPlaneOptions {
  /** On disk when given (to test restarts), else in memory. */
  readonly dataDir?: string
  /** Functions under development, by the names of their Functions. */
  readonly functionModules?: FunctionModules
}

/** The whole control plane as users run it, on a free port. */
export async function startControlPlane({ dataDir, functionModules }: TestControlPlaneOptions = {}): Promise<TestControlPlane> {
  const lines: string[] = []
  const plane = await start({
    dataDir: dataDir ?? '',
    inMemory: dataDir === undefined,
    packagePaths: [tmpdir()],
    functionModules,
    log: (level, message) => lines.push(`${level} ${message}`),
  })
  const transport = inProcessTransport(plane.api, ADMINISTRATOR)
  return {
    ...plane,
    client: createClient({ transport, fieldManager: 'test' }),
    transport,
    lines,
    async stop(graceMs = 0) {
      await transport.close()
      await plane.stop(graceMs)
      const faults = lines.filter((line) => line.includes(EXCEPTION_MARK))
      // Whatever the test was about: a fault of the server fails it.
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
  }
}
