import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProviderSchema, StoredProvider } from '@weft/terraform'
import type { ProviderPrograms } from './provider-programs.ts'

/** Schemas are read again when they are needed; what is in use stays for a while. */
const REMEMBER_MS = 60_000

/** What providers say of themselves, kept on disk by the hash of their program: the same program says the same for ever. */
export interface SchemaLibrary {
  of(provider: StoredProvider, signal: AbortSignal): Promise<ProviderSchema>
}

export function schemaLibrary(directory: string, programs: Pick<ProviderPrograms, 'askSchema' | 'readSchema'>): SchemaLibrary {
  const remembered = new Map<string, Promise<ProviderSchema>>()
  const read = async (provider: StoredProvider, signal: AbortSignal): Promise<ProviderSchema> => {
    const path = join(directory, `${provider.programHash}.schema`)
    try {
      return programs.readSchema(await readFile(path))
    } catch {
      // Not there, or damaged: asked anew.
    }
    const stored = await programs.askSchema(provider, signal)
    const schema = programs.readSchema(stored)
    const half = `${path}.${randomUUID()}`
    await mkdir(directory, { recursive: true, mode: 0o700 })
    try {
      await writeFile(half, stored, { mode: 0o600 })
      await rename(half, path)
    } finally {
      await rm(half, { force: true })
    }
    return schema
  }
  return {
    of(provider, signal) {
      const key = provider.programHash
      let found = remembered.get(key)
      if (found === undefined) {
        remembered.set(key, (found = read(provider, signal)))
        found.then(
          () => setTimeout(() => remembered.delete(key), REMEMBER_MS).unref(),
          () => remembered.delete(key),
        )
      }
      return found
    },
  }
}
