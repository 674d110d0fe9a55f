import type { JsonObject, KubeObject } from '@weft/api'
import { type ExternalClient, ExternalError, type ManagedResource, parametersOf } from '@weft/provider-sdk'
import { identifier, word } from './identifier.ts'
import { checkMembership } from './privileged.ts'
import type { Session } from './sessions.ts'
import { sqlState } from './sql-error.ts'

/** `spec.forProvider` of a Grant: privileges on a database, or membership in a role. */
interface GrantParameters {
  readonly role?: string
  readonly database?: string
  readonly memberOf?: string
  readonly privileges?: readonly string[]
  readonly withOption?: string
  readonly revokePublicOnDb?: boolean
}

const ON_DATABASE: ReadonlySet<string> = new Set(['ALL', 'ALL PRIVILEGES', 'CONNECT', 'CREATE', 'TEMPORARY', 'TEMP'])
const EVERYTHING = ['CONNECT', 'CREATE', 'TEMPORARY']

type Grant =
  | { readonly kind: 'membership'; readonly role: string; readonly of: string; readonly admin: boolean }
  | {
      readonly kind: 'database'
      readonly role: string
      readonly database: string
      readonly privileges: readonly string[]
      readonly grantable: boolean
      readonly closed: boolean
    }

const PRIVILEGES = `
  select a.privilege_type as "privilege", a.is_grantable as "grantable", a.grantee = 0 as "everybody"
    from pg_catalog.pg_database d, pg_catalog.aclexplode(coalesce(d.datacl, pg_catalog.acldefault('d', d.datdba))) a
   where d.datname = $1 and (a.grantee = 0 or a.grantee = (select oid from pg_catalog.pg_roles where rolname = $2))`

const MEMBERSHIP = `
  select bool_or(m.admin_option) as "admin"
    from pg_catalog.pg_auth_members m
    join pg_catalog.pg_roles g on g.oid = m.roleid join pg_catalog.pg_roles r on r.oid = m.member
   where g.rolname = $1 and r.rolname = $2 having count(*) > 0`

/** What a role may do. A grant has no name in PostgreSQL; it is there when the role has all of its privileges. */
export function grantClient(session: Session): ExternalClient {
  return {
    async observe(resource) {
      const grant = grantOf(resource)
      const state = grant.kind === 'membership' ? await observeMembership(session, grant) : await observeDatabase(session, grant)
      if (state === 'none') return { exists: false }
      return { exists: true, upToDate: state === 'all', readiness: 'available', difference: 'privileges' }
    },
    async create(resource) {
      await give(session, grantOf(resource))
      return {}
    },
    async update(resource) {
      await give(session, grantOf(resource))
      return {}
    },
    async delete(resource) {
      try {
        await take(session, grantOf(resource))
      } catch (error) {
        // Without the role or the database there is nothing left to take away.
        if (sqlState(error) !== '42704' && sqlState(error) !== '3D000') throw error
      }
    },
  }
}

/** A grant has no name: it is told by whom it is for and what it is about. */
export function grantIdentity(resource: KubeObject): string | undefined {
  const { role, database, memberOf } = parametersOf(resource) as GrantParameters & JsonObject
  if (typeof role !== 'string') return undefined
  if (typeof memberOf === 'string') return JSON.stringify({ role, memberOf })
  return typeof database === 'string' ? JSON.stringify({ role, database }) : undefined
}

function grantOf(resource: ManagedResource): Grant {
  const { role, database, memberOf, privileges = [], withOption, revokePublicOnDb } = parametersOf(resource) as GrantParameters & JsonObject
  if (role === undefined) throw new ExternalError('Invalid', 'a Grant needs spec.forProvider.role (or roleRef)')
  const option = withOption === undefined ? undefined : word(withOption, new Set(['ADMIN', 'GRANT']), 'withOption')
  if (memberOf !== undefined) {
    if (database !== undefined || privileges.length > 0)
      throw new ExternalError('Invalid', 'a Grant is about memberOf or about a database, not both')
    return { kind: 'membership', role, of: memberOf, admin: option === 'ADMIN' }
  }
  if (database === undefined || privileges.length === 0)
    throw new ExternalError('Invalid', 'a Grant needs memberOf, or a database and privileges')
  const words = privileges.map((privilege) => word(privilege, ON_DATABASE, 'privileges'))
  const expanded = words.flatMap((privilege) =>
    privilege.startsWith('ALL') ? EVERYTHING : [privilege === 'TEMP' ? 'TEMPORARY' : privilege],
  )
  return {
    kind: 'database',
    role,
    database,
    privileges: [...new Set(expanded)],
    grantable: option === 'GRANT',
    closed: revokePublicOnDb === true,
  }
}

type State = 'none' | 'some' | 'all'

async function observeMembership(session: Session, { role, of, admin }: Extract<Grant, { kind: 'membership' }>): Promise<State> {
  const [row] = await session.query<{ admin: boolean }>(MEMBERSHIP, [of, role])
  if (row === undefined) return 'none'
  return row.admin === admin ? 'all' : 'some'
}

/** Privileges that the role has beyond those wanted are taken away: somebody gave them by hand. */
async function observeDatabase(
  session: Session,
  { role, database, privileges, grantable, closed }: Extract<Grant, { kind: 'database' }>,
): Promise<State> {
  const rows = await session.query<{ privilege: string; grantable: boolean; everybody: boolean }>(PRIVILEGES, [database, role])
  const own = rows.filter(({ everybody }) => !everybody)
  if (own.length === 0) return 'none'
  const right = own.length === privileges.length && own.every((row) => privileges.includes(row.privilege) && row.grantable === grantable)
  return right && !(closed && rows.some(({ everybody }) => everybody)) ? 'all' : 'some'
}

async function give(session: Session, grant: Grant): Promise<void> {
  const role = identifier(grant.role)
  if (grant.kind === 'membership') {
    await checkMembership(session, grant.of)
    await session.query(`grant ${identifier(grant.of)} to ${role} with admin ${grant.admin ? 'true' : 'false'}`)
    return
  }
  const database = identifier(grant.database)
  const statements = [
    `revoke all on database ${database} from ${role}`,
    `grant ${grant.privileges.join(', ')} on database ${database} to ${role}${grant.grantable ? ' with grant option' : ''}`,
    ...(grant.closed ? [`revoke all on database ${database} from public`] : []),
  ]
  // One message, one transaction: nobody sees the role without its privileges.
  await session.query(statements.join(';\n'))
}

async function take(session: Session, grant: Grant): Promise<void> {
  const role = identifier(grant.role)
  if (grant.kind === 'membership') await session.query(`revoke ${identifier(grant.of)} from ${role} cascade`)
  else await session.query(`revoke all on database ${identifier(grant.database)} from ${role} cascade`)
}
