import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { KindCatalogue } from '../catalogue/kinds.ts'
import { hashToken } from './accounts/account.ts'
import { FaultInjector } from './faults/injector.ts'
import { listen } from './http/server.ts'
import type { Delays } from './resources/delays.ts'
import { SimulatedCloud } from './resources/simulated-cloud.ts'
import { Store } from './state/store.ts'

export interface SimulatorOptions {
  readonly catalogue: KindCatalogue
  readonly stateFile: string
  readonly host: string
  readonly port: number
  readonly delays: Delays
  /** Absent: made up on the first start and kept beside the state file, readable by its owner only. */
  readonly adminToken?: string
  readonly now?: () => number
  /** The simulator cannot keep its promises any more; the process should end. */
  readonly onFatal: (error: unknown) => void
}

export interface Simulator {
  readonly url: string
  readonly adminToken: string
  readonly store: Store
  stop(): Promise<void>
}

/** Starts everything and answers when requests are served. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  mkdirSync(dirname(options.stateFile), { recursive: true })
  const store = Store.open(options.stateFile)
  try {
    const adminToken = options.adminToken ?? keptAdminToken(`${options.stateFile}.admin-token`)
    const cloud = new SimulatedCloud({ catalogue: options.catalogue, store, delays: options.delays, now: options.now ?? Date.now })
    const context = { cloud, store, faults: new FaultInjector(), adminTokenHash: hashToken(adminToken) }
    const { server, url } = await listen(context, { host: options.host, port: options.port, onFailure: options.onFatal })
    const stop = async (): Promise<void> => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      // Requests in work get a moment to end; held ones never would.
      const timer = setTimeout(() => server.closeAllConnections(), 2_000)
      await closed
      clearTimeout(timer)
      await store.close()
    }
    return { url, adminToken, store, stop }
  } catch (error) {
    await store.close()
    throw error
  }
}

function keptAdminToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const token = randomBytes(32).toString('hex')
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  return token
}
