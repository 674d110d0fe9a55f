import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Endpoint } from './endpoint.ts'
import { externalErrorOf } from './sql-error.ts'

/** Runs statements on one PostgreSQL server, as one user, in one database. Rejects with ExternalError. */
export interface Session {
  query<R extends object = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<readonly R[]>
  /** The same server and user in another database. */
  in(database: string): Session
  /** See Sessions.logIn. */
  logIn(endpoint: Endpoint): Promise<void>
  readonly endpoint: Endpoint
}

export interface SessionOptions {
  readonly connectTimeoutMs?: number
  readonly statementTimeoutMs?: number
  /** Pools kept; the one that was used longest ago is closed first. */
  readonly maxPools?: number
}

/** Connections, shared by everything that talks to the same server with the same credentials. */
export class Sessions {
  readonly #pools = new Map<string, pg.Pool>()
  readonly #options: Required<SessionOptions>

  constructor(options: SessionOptions = {}) {
    this.#options = { connectTimeoutMs: 5_000, statementTimeoutMs: 30_000, maxPools: 64, ...options }
  }

  open(endpoint: Endpoint): Session {
    return {
      endpoint,
      logIn: (other) => this.logIn(other),
      in: (database) => this.open({ ...endpoint, database }),
      query: async <R extends object>(sql: string, values: readonly unknown[] = []): Promise<readonly R[]> => {
        try {
          const { rows } = await this.#pool(endpoint).query<R>(sql, [...values])
          return rows
        } catch (error) {
          throw externalErrorOf(error)
        }
      },
    }
  }

  /** Does the server let us in, now? Connections that are open already say nothing about that. Rejects with ExternalError. */
  async logIn({ host, port, user, password, database, ssl, options }: Endpoint): Promise<void> {
    const client = new pg.Client({
      host,
      port,
      user,
      password,
      database,
      ssl,
      options,
      application_name: 'weft',
      connectionTimeoutMillis: this.#options.connectTimeoutMs,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
    } catch (error) {
      throw externalErrorOf(error)
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  /** Closes idle connections to a database, which would keep it from being dropped. */
  async leave(endpoint: Endpoint, database: string): Promise<void> {
    const key = keyOf({ ...endpoint, database })
    const pool = this.#pools.get(key)
    this.#pools.delete(key)
    await pool?.end()
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()]
    this.#pools.clear()
    await Promise.all(pools.map((pool) => pool.end()))
  }

  #pool(endpoint: Endpoint): pg.Pool {
    const key = keyOf(endpoint)
    let pool = this.#pools.get(key)
    this.#pools.delete(key)
    pool ??= this.#connect(endpoint)
    // Last in order: used most recently.
    this.#pools.set(key, pool)
    for (const [oldKey, old] of this.#pools) {
      if (this.#pools.size <= this.#options.maxPools) break
      this.#pools.delete(oldKey)
      old.end().catch(() => undefined)
    }
    return pool
  }

  #connect({ host, port, user, password, database, ssl, options }: Endpoint): pg.Pool {
    const { connectTimeoutMs, statementTimeoutMs } = this.#options
    const pool = new pg.Pool({
      host,
      port,
      user,
      password,
      database,
      ssl,
      options,
      application_name: 'weft',
      // A server of its own for every resource would be cheap; a hundred connections to one would not.
      max: 4,
      idleTimeoutMillis: 5_000,
      allowExitOnIdle: true,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + 1_000,
    })
    // An idle connection that breaks is replaced when it is needed.
    pool.on('error', () => undefined)
    return pool
  }
}

function keyOf({ host, port, user, password, database, ssl, options }: Endpoint): string {
  return createHash('sha256')
    .update(JSON.stringify([host, port, user, password, database, ssl, options]))
    .digest('hex')
}
