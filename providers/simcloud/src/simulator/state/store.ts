import type { Account } from '../accounts/account.ts'
import { keyOf, type StoredResource } from '../resources/stored-resource.ts'
import { ResourceTable } from './resource-table.ts'
import { StateFileError, StateLog } from './state-log.ts'
import { StateLock } from './state-lock.ts'

type StateRecord =
  | { readonly type: 'header'; readonly format: 1 }
  | { readonly type: 'resource'; readonly resource: StoredResource }
  | { readonly type: 'gone'; readonly key: string }
  | { readonly type: 'account'; readonly account: Account }

/** The file is rewritten when it has this many records more than twice what is alive. */
const COMPACTION_SLACK = 1_000

/**
 * Everything the simulated clouds know, in memory and in one file. Changes take effect in memory at once, in the order of the
 * calls; whoever answers a request waits for `durable()` first, after reads as well, so no answer ever speaks of a state that a
 * crash could take back.
 */
export class Store {
  readonly resources: ResourceTable = new ResourceTable()
  readonly #accounts = new Map<string, Account>()
  readonly #log: StateLog
  readonly #lock: StateLock

  static open(file: string): Store {
    const lock = StateLock.acquire(file)
    try {
      const { log, records } = StateLog.open(file)
      return new Store(file, log, lock, records as StateRecord[])
    } catch (error) {
      lock.release()
      throw error
    }
  }

  private constructor(file: string, log: StateLog, lock: StateLock, records: readonly StateRecord[]) {
    this.#log = log
    this.#lock = lock
    const [header, ...rest] = records
    if (header === undefined) log.append({ type: 'header', format: 1 } satisfies StateRecord)
    else if (header.type !== 'header' || header.format !== 1) throw new StateFileError(file, 'is not a state file of this simulator')
    for (const record of rest) this.#replay(record)
  }

  #replay(record: StateRecord): void {
    switch (record.type) {
      case 'header':
        break
      case 'resource':
        this.resources.set(record.resource)
        break
      case 'gone':
        this.resources.remove(record.key)
        break
      case 'account':
        this.#accounts.set(accountKey(record.account.cloud, record.account.account), record.account)
        break
    }
  }

  #record(record: StateRecord): void {
    this.#replay(record)
    this.#log.append(record)
  }

  put(resource: StoredResource): void {
    this.#record({ type: 'resource', resource })
  }

  remove(resource: StoredResource): void {
    this.#record({ type: 'gone', key: keyOf(resource) })
  }

  account(cloud: string, account: string): Account | undefined {
    return this.#accounts.get(accountKey(cloud, account))
  }

  accounts(): Iterable<Account> {
    return this.#accounts.values()
  }

  putAccount(account: Account): void {
    this.#record({ type: 'account', account })
  }

  /** Resolves when every change made so far is on disk. Rejects when the disk fails; nothing may be answered then. */
  async durable(): Promise<void> {
    await this.#log.flushed()
    if (this.#log.idle && this.#log.length > 2 * this.#alive() + COMPACTION_SLACK) this.#compact()
  }

  #alive(): number {
    return this.resources.size + this.#accounts.size + 1
  }

  #compact(): void {
    this.#log.compact(this.#snapshot())
  }

  *#snapshot(): Iterable<StateRecord> {
    yield { type: 'header', format: 1 }
    for (const account of this.#accounts.values()) yield { type: 'account', account }
    for (const resource of this.resources.all()) yield { type: 'resource', resource }
  }

  async close(): Promise<void> {
    try {
      await this.#log.close()
    } finally {
      this.#lock.release()
    }
  }
}

const accountKey = (cloud: string, account: string): string => `${cloud}/${account}`
