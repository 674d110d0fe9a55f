import { messageOf } from '@weft/api'
import { join } from 'node:path'
import type { Client } from '@weft/client'
import type { PackageRun, PackageRuntime, RuntimeHealth } from '@weft/controllers'
import { type ProviderDefinition, type RunningProvider, startProvider } from '@weft/provider-sdk'
import type { Manager } from '@weft/runtime'

export interface InProcessOptions {
  readonly manager: Manager
  /** The code of a revision that this process runs itself, made when it is to start; undefined: that of `others`. */
  readonly find: (revision: PackageRun['revision']) => ((client: Client) => Promise<ProviderDefinition>) | undefined
  /** Folders for what providers keep on this machine are made below it. */
  readonly dataDir: string
  readonly maxPollIntervalMs?: number | undefined
  /** Runs every other provider. */
  readonly others: PackageRuntime
}

export interface RunningProviders extends PackageRuntime {
  stopAll(): Promise<void>
}

interface Slot {
  readonly revision: string
  readonly running: Promise<RunningProvider>
}

/** Runs the providers whose code this process has, and leaves the rest to `others`. */
export function inProcessRuntime({ manager, find, dataDir, maxPollIntervalMs, others }: InProcessOptions): RunningProviders {
  const slots = new Map<string, Slot>()
  const stopSlot = async (packageName: string, revision?: string): Promise<void> => {
    const slot = slots.get(packageName)
    if (slot === undefined || (revision !== undefined && slot.revision !== revision)) return
    slots.delete(packageName)
    // One that could not start has nothing to stop.
    const running = await slot.running.catch(() => undefined)
    await running?.stop()
  }
  const start = async (packageName: string, make: (client: Client) => Promise<ProviderDefinition>): Promise<RunningProvider> =>
    startProvider(await make(manager.client), { manager, maxPollIntervalMs, dataDir: join(dataDir, 'providers', packageName) })
  return {
    async ensure(run): Promise<RuntimeHealth> {
      const { packageName, revision } = run
      const make = find(revision)
      if (make === undefined) {
        await stopSlot(packageName)
        return others.ensure(run)
      }
      await others.stop(packageName)
      const name = revision.metadata.name ?? ''
      if (slots.get(packageName)?.revision !== name) {
        await stopSlot(packageName)
        slots.set(packageName, { revision: name, running: start(packageName, make) })
      }
      try {
        await slots.get(packageName)?.running
        return { healthy: true, reason: 'InProcess' }
      } catch (error) {
        slots.delete(packageName)
        return {
          healthy: false,
          reason: 'CannotStart',
          message: `the provider cannot start: ${messageOf(error)}`,
        }
      }
    },
    webhooks: (packageName) => others.webhooks?.(packageName) ?? Promise.resolve(undefined),
    async stop(packageName, revision) {
      await stopSlot(packageName, revision)
      await others.stop(packageName, revision)
    },
    async stopAll() {
      for (const packageName of slots.keys()) await stopSlot(packageName)
    },
  }
}
