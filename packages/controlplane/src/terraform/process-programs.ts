import { join } from 'node:path'
import type { Bridge } from '@weft/bridge'
import { openProcessLog, type ProcessLog } from '@weft/program'
import { askSchema, ProviderPool, readStoredSchema, type StoredProvider, upgradeStates } from '@weft/terraform'
import { programPlaces } from './program-places.ts'
import type { ProviderPrograms } from './provider-programs.ts'

/** Between being told to stop and ending processes: changes under way come to an end, or are found again later. */
const DRAIN_MS = 3_000

/**
 * Runs providers as processes, which are shared by all that have one configuration. What they print is in `logs`, one file for each provider. `near`:
 * the API server is in this process.
 */
export function processPrograms(dataDir: string, { near }: { readonly near: boolean }): ProviderPrograms {
  const logs = new Map<string, ProcessLog>()
  const providers = new Map<string, StoredProvider>()
  const placeOf = programPlaces(dataDir)
  const nameOf = ({ address }: StoredProvider): string => `terraform-${address.type}`
  const logOf = (name: string): ProcessLog => {
    let log = logs.get(name)
    if (log === undefined) logs.set(name, (log = openProcessLog(join(dataDir, 'logs', `${name}.log`))))
    return log
  }
  const known = (provider: StoredProvider): StoredProvider => {
    providers.set(provider.programHash, provider)
    return provider
  }
  const pool = new ProviderPool({
    log({ programHash }) {
      const provider = providers.get(programHash)
      return logOf(provider === undefined ? 'terraform' : nameOf(provider))
    },
    async place({ programHash, executable }) {
      const provider = providers.get(programHash)
      return provider === undefined ? { executable } : placeOf(provider)
    },
  })
  let opened: Promise<Bridge> | undefined
  // Needed by those who have a resource of one.
  const bridge = (): Promise<Bridge> =>
    (opened ??= import('@weft/bridge').then(
      ({ Bridge, fileJournal }) => new Bridge(pool, { journal: fileJournal(join(dataDir, 'terraform', 'journal')), near }),
    ))
  const release: ProviderPrograms['release'] = async (resource, { client }) => (await bridge()).release(resource, client)
  return {
    async askSchema(provider, signal) {
      const { executable, user } = await placeOf(known(provider))
      return askSchema(executable, { signal, user, log: logOf(nameOf(provider)) })
    },
    readSchema: readStoredSchema,
    connector(kind) {
      known(kind.provider.provider)
      return {
        connect: async (resource, context) => (await bridge()).connector(kind).connect(resource, context),
        systemOf: async (resource, context) => (await bridge()).connector(kind).systemOf(resource, context),
        release,
      }
    },
    release,
    preview: async (kind, question, context) => {
      known(kind.provider.provider)
      return (await bridge()).preview(kind, question, context)
    },
    upgradeStates: ({ provider, schema }, states, signal) =>
      upgradeStates(known(provider).program, states, { schema, signal, log: logOf(`terraform-${provider.address.type}`) }),
    async close() {
      if (opened !== undefined) await (await opened).close({ drainMs: DRAIN_MS })
      await pool.close()
      for (const log of logs.values()) log.close()
    },
  }
}
