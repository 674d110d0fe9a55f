import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '../storage/index.ts'
import type { ApiResponse } from './exchange.ts'
import type { PathHandler } from './server.ts'

export const BACKUP_PATH = '/weft/backup'

/**
 * GET answers a consistent copy of the store as it is now. RBAC knows it as a non-resource URL; only those who may
 * read everything should get it, since it holds every secret.
 */
export function backupPath(storage: Storage): PathHandler {
  return (request) => (request.path === BACKUP_PATH && request.method === 'GET' ? copyOf(storage) : undefined)
}

async function copyOf(storage: Storage): Promise<ApiResponse> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-backup-'))
  const discard = (): void => void rm(folder, { recursive: true, force: true })
  try {
    const file = join(folder, 'backup')
    await storage.backup(file)
    return {
      status: 200,
      body: { kind: 'stream', contentType: 'application/octet-stream', open: () => createReadStream(file).once('close', discard) },
    }
  } catch (error) {
    discard()
    throw error
  }
}
