import { setTimeout as sleep } from 'node:timers/promises'
import { internalError, weftKinds } from '@weft/api'
import { createClient } from '@weft/client'
import { createManager, silentLog } from '@weft/runtime'
import { eventually, faultyTransport, startTestServer } from '@weft/testing'
import { expect, it } from 'vitest'
import { startClaimControllers } from './start-claim-controllers.ts'

it('opens no watch that nobody would close when it is stopped while it cannot begin', async () => {
  const server = await startTestServer({ kinds: weftKinds })
  const faults = faultyTransport(server.transport, {
    rules: [{ verb: 'get', plural: 'configmaps', fault: { type: 'error', error: internalError('not now') } }],
  })
  const manager = createManager({ client: createClient({ transport: faults, fieldManager: 'weft' }), log: silentLog })
  manager.start()
  const claims = startClaimControllers({ manager })
  await eventually(() => expect(faults.log.some(({ path, fault }) => path.includes('weft-claim-kinds') && fault === 'error')).toBe(true))
  await claims.stop()
  const watches = (): number => faults.log.filter(({ verb }) => verb === 'watch').length
  const before = watches()
  // Longer than between two attempts to begin. A slower machine sees less, and finds nothing that is not there.
  await sleep(1500)
  expect(watches()).toBe(before)
  await manager.stop({ drainMs: 0 })
  await server.close()
})
