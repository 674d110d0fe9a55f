// A control plane with a provider of thousands of kinds, all in this one process, as bundled providers are. Told what to do over the channel
// to its parent, who measures it.
import { dirname } from 'node:path'
import { createClient } from '@weft/client'
import { startControlPlane } from '@weft/controlplane'
import { inProcessTransport } from '@weft/plane'
import { defineProvider, type ExternalClient, managedKind, startProvider } from '@weft/provider-sdk'
import { createManager, silentLog } from '@weft/runtime'
import { kindsOf } from './kinds.ts'
import type { Answer, Order } from './plane-client.ts'

const [dataDir = '', count = '0'] = process.argv.slice(2)
const nothing: ExternalClient = {
  observe: () => Promise.resolve({ exists: true, upToDate: true, readiness: 'available' }),
  create: () => Promise.resolve({}),
  update: () => Promise.resolve({}),
  delete: () => Promise.resolve(),
}
const plane = await startControlPlane({ dataDir, providers: [], activations: [], packagePaths: [dirname(dataDir)], log: () => undefined })
const transport = inProcessTransport(plane.api, { username: 'system:bench', groups: ['system:masters', 'system:authenticated'] })
const manager = createManager({ client: createClient({ transport, fieldManager: 'bench' }), log: silentLog })
manager.start()

const run = async (order: Order): Promise<Answer> => {
  switch (order.type) {
    case 'provider':
      await startProvider(
        defineProvider({
          name: 'provider-bench',
          package: { metadata: { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'bench' } }, objects: [] },
          kinds: kindsOf(Number(count)).map(({ group, kind }) =>
            managedKind({ group, kind, connector: { connect: () => Promise.resolve(nothing) } }),
          ),
        }),
        { manager, dataDir },
      )
      return {}
    case 'memory':
      // Memory that was freed goes back to the system a little later, and not all at once.
      for (let i = 0; i < 10; i++) {
        globalThis.gc?.()
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
      return { controllers: manager.engine.running.length }
    case 'controllers':
      return { controllers: manager.engine.running.length }
    case 'stop':
      await manager.stop({ drainMs: 0 })
      await plane.stop(0)
      return {}
  }
}
process.on('message', (order: Order) => {
  void run(order).then((answer) => process.send?.(answer))
})
process.once('disconnect', () => process.exit(0))
process.send?.({ kubeconfig: plane.kubeconfigPath } satisfies Answer)
