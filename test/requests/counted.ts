import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@weft/client'
import { startControlPlane } from '@weft/controlplane'
import { inProcessTransport } from '@weft/plane'
import { eventually } from '@weft/testing'
import { expect } from 'vitest'

/** Requests by who made them, what they did and how that ended: `composition get secrets 404`. */
export type Requests = ReadonlyMap<string, number>

/** A control plane that writes down every request. `client` is of no use after a restart. */
export interface CountedPlane {
  readonly client: Client
  /** Everything that is asked from before `work` until nothing is asked any more. Watches and lists belong to no object, and are left out. */
  requestsOf(work: () => Promise<unknown>): Promise<Requests>
  /** Everything that it asks after a stop and a start, on the data that it had, until nothing is asked any more. */
  requestsOfRestart(): Promise<Requests>
  stop(): Promise<void>
}

const USER = 'test-user'
/** So many looks in a row, fifty milliseconds apart, that found nothing new. */
const QUIET_LOOKS = 20
const LOOK_MS = 50

interface AuditLine {
  readonly verb: string
  readonly user: { readonly username: string }
  readonly objectRef?: { readonly resource: string; readonly subresource?: string }
  readonly responseStatus?: { readonly code: number }
}

export async function startCountedPlane({ inMemory = true }: { readonly inMemory?: boolean } = {}): Promise<CountedPlane> {
  const directory = await mkdtemp(join(tmpdir(), 'weft-requests-'))
  const auditLog = join(directory, 'audit.log')
  const start = (): ReturnType<typeof startControlPlane> =>
    startControlPlane({ dataDir: directory, inMemory, auditLog, schedulerJitterMs: 0, log: () => undefined })
  let plane = await start()
  const transport = inProcessTransport(plane.api, { username: USER, groups: ['system:masters'] })
  const read = async (): Promise<readonly string[]> => {
    const lines = (await readFile(auditLog, 'utf8')).trimEnd().split('\n')
    return lines.map(keyOf).filter((key) => key !== undefined)
  }
  const settled = async (): Promise<number> => {
    let [count, same] = [-1, 0]
    await eventually(
      async () => {
        const { length } = await read()
        same = length === count ? same + 1 : 0
        count = length
        expect(same).toBeGreaterThan(QUIET_LOOKS)
      },
      { intervalMs: LOOK_MS },
    )
    return count
  }
  const requestsOf = async (work: () => Promise<unknown>): Promise<Requests> => {
    const before = await settled()
    await work()
    await settled()
    const counts = new Map<string, number>()
    for (const key of (await read()).slice(before)) counts.set(key, (counts.get(key) ?? 0) + 1)
    return counts
  }
  const stop = async (): Promise<void> => {
    await transport.close()
    await plane.stop()
  }
  return {
    client: createClient({ transport, fieldManager: USER }),
    requestsOf,
    requestsOfRestart: () =>
      requestsOf(async () => {
        await stop()
        plane = await start()
      }),
    async stop() {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Undefined for what belongs to no object. */
function keyOf(line: string): string | undefined {
  const { verb, user, objectRef, responseStatus } = JSON.parse(line) as AuditLine
  if (objectRef === undefined || verb === 'watch' || verb === 'list') return undefined
  const { resource, subresource } = objectRef
  // By the clock: leases are renewed, and how often an event happened is counted up for all that did so within a time.
  if (resource === 'leases' || (resource === 'events' && verb === 'patch')) return undefined
  const who = user.username.slice(user.username.lastIndexOf(':') + 1)
  return `${who} ${verb} ${resource}${subresource ? `/${subresource}` : ''} ${responseStatus?.code ?? 0}`
}
