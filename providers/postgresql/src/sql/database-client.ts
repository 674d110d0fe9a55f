import { type ExternalClient, ExternalError, type ManagedResource, parametersOf } from '@weft/provider-sdk'
import { flag, identifier, integer, literal } from './identifier.ts'
import { checkTemplate } from './privileged.ts'
import type { Session, Sessions } from './sessions.ts'

/** `spec.forProvider` of a Database. */
interface DatabaseParameters {
  readonly owner?: string
  readonly template?: string
  readonly encoding?: string
  readonly lcCollate?: string
  readonly lcCType?: string
  readonly tablespace?: string
  readonly allowConnections?: boolean
  readonly connectionLimit?: number
  readonly isTemplate?: boolean
}

type Observed = Required<Omit<DatabaseParameters, 'template'>>

/** What can only be chosen when a database is made. */
const FIXED = ['encoding', 'lcCollate', 'lcCType'] as const

const OBSERVE = `
  select pg_catalog.pg_get_userbyid(d.datdba) as "owner", pg_catalog.pg_encoding_to_char(d.encoding) as "encoding",
         d.datcollate as "lcCollate", d.datctype as "lcCType", t.spcname as "tablespace",
         d.datallowconn as "allowConnections", d.datconnlimit as "connectionLimit", d.datistemplate as "isTemplate"
    from pg_catalog.pg_database d join pg_catalog.pg_tablespace t on t.oid = d.dattablespace
   where d.datname = $1`

/** A database on a PostgreSQL server; its name is the external name. */
export function databaseClient(session: Session, sessions: Sessions): ExternalClient {
  return {
    async observe(resource, { externalName }) {
      identifier(externalName)
      const [observed] = await session.query<Observed>(OBSERVE, [externalName])
      if (observed === undefined) return { exists: false }
      const different = differences(parameters(resource), observed)
      const { host, port } = session.endpoint
      return {
        exists: true,
        upToDate: different.length === 0,
        difference: different.join(', '),
        readiness: 'available',
        atProvider: { ...observed },
        lateInit: { ...observed },
        connection: { endpoint: host, port: String(port), database: externalName },
      }
    },
    async create(resource, { externalName }) {
      await checkTemplate(session, parameters(resource).template)
      await session.query(`create database ${identifier(externalName)}${options(parameters(resource))}`)
      return {}
    },
    async update(resource, { externalName }) {
      const [observed] = await session.query<Observed>(OBSERVE, [externalName])
      if (observed === undefined) return {}
      for (const statement of alterations(identifier(externalName), parameters(resource), observed)) await session.query(statement)
      return {}
    },
    async delete(_resource, { externalName }) {
      await sessions.leave(session.endpoint, externalName)
      // Templates cannot be dropped.
      const [observed] = await session.query<Observed>(OBSERVE, [externalName])
      if (observed?.isTemplate === true) await session.query(`alter database ${identifier(externalName)} is_template false`)
      // By force: whoever is connected to a database that is to go would keep it for ever.
      await session.query(`drop database if exists ${identifier(externalName)} with (force)`)
    },
  }
}

const parameters = (resource: ManagedResource): DatabaseParameters => parametersOf(resource)

/** Names of encodings are written in many ways. */
const sameEncoding = (a: string, b: string): boolean =>
  a.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase() === b.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()

function differences(wanted: DatabaseParameters, observed: Observed): string[] {
  return (Object.keys(observed) as (keyof Observed)[]).filter((key) => {
    const value = wanted[key]
    if (value === undefined || value === null) return false
    return key === 'encoding' ? !sameEncoding(String(value), observed.encoding) : value !== observed[key]
  })
}

function options({
  owner,
  template,
  encoding,
  lcCollate,
  lcCType,
  tablespace,
  allowConnections,
  connectionLimit,
  isTemplate,
}: DatabaseParameters): string {
  // Only template0 can be copied into another encoding or locale.
  const from = template ?? (encoding !== undefined || lcCollate !== undefined || lcCType !== undefined ? 'template0' : undefined)
  const parts = [
    owner !== undefined && `owner = ${identifier(owner)}`,
    from !== undefined && `template = ${identifier(from)}`,
    encoding !== undefined && `encoding = ${literal(encoding)}`,
    lcCollate !== undefined && `lc_collate = ${literal(lcCollate)}`,
    lcCType !== undefined && `lc_ctype = ${literal(lcCType)}`,
    tablespace !== undefined && `tablespace = ${identifier(tablespace)}`,
    allowConnections !== undefined && `allow_connections = ${flag(allowConnections)}`,
    connectionLimit !== undefined && `connection limit = ${integer(connectionLimit, 'connectionLimit')}`,
    isTemplate !== undefined && `is_template = ${flag(isTemplate)}`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? '' : ` with ${parts.join(' ')}`
}

function alterations(name: string, wanted: DatabaseParameters, observed: Observed): string[] {
  const different = new Set(differences(wanted, observed))
  const fixed = FIXED.filter((key) => different.has(key))
  if (fixed.length > 0)
    throw new ExternalError(
      'Invalid',
      `a database cannot change its ${fixed.map((key) => `${key} (it is ${observed[key]})`).join(', ')}: delete it and create another, or set the old value`,
    )
  const { owner, tablespace, allowConnections, connectionLimit, isTemplate } = wanted
  return [
    different.has('owner') && owner !== undefined && `alter database ${name} owner to ${identifier(owner)}`,
    different.has('connectionLimit') && `alter database ${name} connection limit ${integer(connectionLimit, 'connectionLimit')}`,
    different.has('allowConnections') && `alter database ${name} allow_connections ${flag(allowConnections)}`,
    different.has('isTemplate') && `alter database ${name} is_template ${flag(isTemplate)}`,
    different.has('tablespace') && tablespace !== undefined && `alter database ${name} set tablespace ${identifier(tablespace)}`,
  ].filter((statement) => statement !== false)
}
