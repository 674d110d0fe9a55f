import { type ProviderLog, startProvider, type StartOptions } from './start-provider.ts'

/** What a provider says of itself, as it is kept (`readStoredSchema`). Starts its program, and ends it again. Needs no configuration. */
export async function askSchema(
  executable: string,
  options: {
    readonly log: ProviderLog
    readonly signal?: AbortSignal | undefined
    readonly root?: string | undefined
    readonly user?: StartOptions['user']
  },
): Promise<Uint8Array> {
  const started = await startProvider({ executable, log: options.log, root: options.root, user: options.user })
  try {
    const { stored } = await started.client.schema({ signal: options.signal })
    return stored
  } finally {
    await started.shutdown()
  }
}
