import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionConfig, ServedKind } from '@weft/client'

/** What a server served a while ago, kept for the next command. Never more than a hint: whoever finds nothing by it has to ask. */
export interface KindMemory {
  /** Undefined when nothing is kept, or nothing that is young enough. */
  recall(): readonly ServedKind[] | undefined
  /** Does nothing where it cannot write. */
  keep(kinds: readonly ServedKind[]): void
}

const MAX_AGE_MS = 10 * 60_000

export interface KindMemoryOptions {
  readonly folder?: string
  readonly now?: () => number
}

/** By server and by whom it is vouched for. An address without TLS may be another server next time: of such nothing is kept. */
export function kindMemory(
  { server, ca }: Pick<ConnectionConfig, 'server' | 'ca'>,
  { folder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'weft', 'kinds'), now = Date.now }: KindMemoryOptions = {},
): KindMemory | undefined {
  if (!server.startsWith('https:')) return undefined
  const key = createHash('sha256').update(JSON.stringify([server, ca ?? '']))
  const file = join(folder, `${key.digest('hex').slice(0, 32)}.json`)
  const isOld = (path: string): boolean => now() - statSync(path).mtimeMs > MAX_AGE_MS
  return {
    recall() {
      try {
        const kinds: unknown = isOld(file) ? undefined : JSON.parse(readFileSync(file, 'utf8'))
        return Array.isArray(kinds) && kinds.every(isServedKind) ? kinds : undefined
      } catch {
        return undefined
      }
    },
    keep(kinds) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        for (const name of readdirSync(folder)) if (isOld(join(folder, name))) rmSync(join(folder, name), { force: true })
        // Another command may read it at this moment.
        const half = `${file}.${process.pid}`
        writeFileSync(half, JSON.stringify(kinds), { mode: 0o600 })
        renameSync(half, file)
      } catch {
        // No home, a full disk, a read-only file system: the next command asks the server again.
      }
    },
  }
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

/** Another version of this command may have written it. */
function isServedKind(value: unknown): value is ServedKind {
  const { namespaced, verbs, subresources, shortNames, categories, ...names } = (value ?? {}) as Record<string, unknown>
  const { group, version, kind, plural, singular } = names
  return (
    typeof namespaced === 'boolean' &&
    [group, version, kind, plural, singular].every(isText) &&
    [verbs, subresources, shortNames, categories].every(isTexts)
  )
}
