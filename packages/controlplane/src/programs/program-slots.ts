import { messageOf } from '@weft/api'
import { AWAITING, type PackageRun, type PackageRuntime, type RevisionObject, type RuntimeHealth } from '@weft/controllers'
import type { ProgramProcess } from '@weft/program'

/** What is to be done to run a package. */
export type ProgramPlan =
  /** It runs nothing. */
  | { readonly type: 'nothing'; readonly health: RuntimeHealth }
  /** It is not run, and why, in one sentence. */
  | { readonly type: 'refused'; readonly why: string }
  | ProcessPlan

export interface ProcessPlan {
  readonly type: 'process'
  /** What keeps it apart from the machine, where that is known. */
  readonly isolation?: string | undefined
  /** What it is started with besides: it is started anew when that changes. */
  readonly key?: string | undefined
  /** To be told of it while it runs well. */
  readonly note?: string | undefined
  /** Why it is not to start yet; one that runs goes on. */
  readonly awaits?: string | undefined
  /** Gives back what it took by what it adds to `releases`, last first, also when it fails. */
  start(releases: Release[]): Promise<ProgramProcess>
}

export type Release = () => Promise<void>

export interface ProgramSlotsOptions {
  plan(run: PackageRun): Promise<ProgramPlan>
  readonly webhooks?: PackageRuntime['webhooks']
  /** The program of a revision that is no longer wanted has ended. */
  gone?(revision: RevisionObject): Promise<void>
}

export interface ProgramRuntime extends PackageRuntime {
  stopAll(): Promise<void>
}

interface Slot {
  readonly revision: RevisionObject
  readonly key: string | undefined
  /** Undefined while it is being prepared, and when that failed. */
  process: ProgramProcess | undefined
  problem: string | undefined
  readonly prepared: Promise<void>
  release(): Promise<void>
}

/** Runs one program for each package that has one. */
export function programSlots({ plan, gone, webhooks }: ProgramSlotsOptions): ProgramRuntime {
  const slots = new Map<string, Slot>()
  const stopSlot = async (packageName: string, revisionName?: string, { isWanted = false } = {}): Promise<void> => {
    const slot = slots.get(packageName)
    if (slot === undefined || (revisionName !== undefined && slot.revision.metadata.name !== revisionName)) return
    slots.delete(packageName)
    await slot.prepared
    await slot.process?.stop()
    await slot.release()
    if (!isWanted) await gone?.(slot.revision)
  }
  return {
    ...(webhooks !== undefined && { webhooks }),
    async ensure(run): Promise<RuntimeHealth> {
      const { packageName, revision } = run
      const wanted = await plan(run)
      if (wanted.type !== 'process') {
        await stopSlot(packageName)
        return wanted.type === 'nothing' ? wanted.health : { healthy: false, reason: 'CannotStart', message: wanted.why }
      }
      const before = slots.get(packageName)
      const isOther = before !== undefined && (before.revision.metadata.uid !== revision.metadata.uid || before.key !== wanted.key)
      // Until then whatever ran before goes on.
      if ((before === undefined || isOther) && wanted.awaits !== undefined)
        return { healthy: false, reason: AWAITING, message: wanted.awaits }
      if (isOther) await stopSlot(packageName)
      let slot = slots.get(packageName)
      if (slot === undefined) slots.set(packageName, (slot = openSlot(revision, wanted)))
      await slot.prepared
      if (slot.problem === undefined) return { ...healthOf(slot.process), ...toldOf(wanted, slot.process) }
      // Prepared anew when it is asked for again.
      slots.delete(packageName)
      await slot.release()
      throw new Error(slot.problem)
    },
    stop: (packageName, revisionName) => stopSlot(packageName, revisionName),
    // The control plane ends, or another one leads now: the processes go, their rights are those of the revision still.
    async stopAll() {
      await Promise.all([...slots.keys()].map((packageName) => stopSlot(packageName, undefined, { isWanted: true })))
    },
  }
}

function healthOf(process: ProgramProcess | undefined): RuntimeHealth {
  if (process === undefined) return { healthy: false, reason: 'Stopped' }
  const { listens, ...health } = process.health
  return { ...health, ...(listens !== undefined && health.healthy && { endpoint: `dns:///${listens.host}:${listens.port}` }) }
}

const toldOf = ({ isolation, note }: ProcessPlan, process: ProgramProcess | undefined): Partial<RuntimeHealth> => ({
  ...(isolation !== undefined && { isolation }),
  ...told([process?.health.healthy === true ? note : undefined, portsTold(process)].filter((each) => each !== undefined)),
})

const told = (notes: readonly string[]): Partial<RuntimeHealth> => (notes.length === 0 ? {} : { message: notes.join('; ') })

function portsTold(process: ProgramProcess | undefined): string | undefined {
  const ports = process?.health.ports
  if (ports === undefined) return undefined
  const where = ports.length === 0 ? '' : `, now ${ports.join(', ')}`
  return `the port that the program insists on is taken, so it was given another${where}`
}

function openSlot(revision: RevisionObject, { start, key }: ProcessPlan): Slot {
  const releases: Release[] = []
  const slot: Slot = {
    revision,
    key,
    process: undefined,
    problem: undefined,
    prepared: Promise.resolve(),
    async release() {
      for (const release of releases.splice(0).reverse()) await release()
    },
  }
  const prepared = start(releases).then(
    (process) => void (slot.process = process),
    (error: unknown) => void (slot.problem = `its program cannot be prepared: ${messageOf(error)}`),
  )
  return Object.assign(slot, { prepared })
}
