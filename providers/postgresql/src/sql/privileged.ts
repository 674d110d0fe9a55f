import { ExternalError } from '@weft/provider-sdk'
import { SERVER_ROLES } from '../server/superuser.ts'
import type { Session } from './sessions.ts'

/**
 * What reaches beyond the databases of a server, to all of them or to the machine that it runs on. The credentials of a ProviderConfig may
 * well allow it, to whoever writes a resource; so the operator says whether resources may use it. Each function throws ExternalError
 * `Invalid` where they may not.
 */
const refuse = (what: string): never => {
  throw new ExternalError(
    'Invalid',
    `${what}: that reaches beyond databases, and the ProviderConfig does not allow it (spec.allowPrivileged); remove it, or ask whoever runs the server`,
  )
}

const SERVER_WIDE = ['superUser', 'replication', 'bypassRls'] as const

export function checkPrivileges({ endpoint }: Session, privileges: Readonly<Record<string, unknown>>): void {
  if (endpoint.privileged === true) return
  for (const name of SERVER_WIDE) if (privileges[name] === true) refuse(`spec.forProvider.privileges.${name}`)
}

/** Nobody manages the role that they are: it would lock itself out, or be dropped with its resource. */
export function checkRole({ endpoint }: Session, role: string): void {
  if (role === endpoint.user)
    throw new ExternalError('Invalid', `the role "${role}" is the one that Weft itself uses on this server: choose another external name`)
}

/** A role that leads to files and programs, or a superuser: directly, or by what it is a member of. */
const REACHES = `
  select 1 from pg_catalog.pg_roles r, pg_catalog.pg_roles g
   where r.rolname = $1 and (g.rolsuper or g.rolname = any($2)) and pg_catalog.pg_has_role(r.oid, g.oid, 'member')`

export async function checkMembership(session: Session, of: string): Promise<void> {
  if (session.endpoint.privileged === true) return
  if (SERVER_ROLES.includes(of) || (await session.query(REACHES, [of, SERVER_ROLES])).length > 0)
    refuse(`spec.forProvider.memberOf "${of}"`)
}

/** Settings that only a superuser may make: they load libraries, for example. */
export async function checkSettings(session: Session, names: readonly string[]): Promise<void> {
  if (session.endpoint.privileged === true || names.length === 0) return
  const [row] = await session.query<{ name: string }>(
    `select name from pg_catalog.pg_settings where pg_catalog.lower(name) = any($1) and context <> 'user' limit 1`,
    [names.map((name) => name.toLowerCase())],
  )
  if (row !== undefined) refuse(`spec.forProvider.configurationParameters: ${row.name}`)
}

/** A copy holds everything that is in its template; those that everybody may copy are marked. */
export async function checkTemplate(session: Session, template: string | undefined): Promise<void> {
  if (session.endpoint.privileged === true || template === undefined) return
  const [row] = await session.query<{ open: boolean }>('select datistemplate as "open" from pg_catalog.pg_database where datname = $1', [
    template,
  ])
  if (row?.open === false) refuse(`spec.forProvider.template: the database "${template}" is not a template`)
}

const EXTENSION = `
  select trusted, requires::text[] as "requires" from pg_catalog.pg_available_extension_versions
   where name = $1 and version = coalesce($2, (select default_version from pg_catalog.pg_available_extensions where name = $1))`

/** Trusted extensions are those that whoever owns a database may install; what one requires comes with it. */
export async function checkExtension(
  session: Session,
  name: string,
  version?: string,
  seen: ReadonlySet<string> = new Set(),
): Promise<void> {
  if (session.endpoint.privileged === true || seen.has(name)) return
  const [found] = await session.query<{ trusted: boolean; requires: readonly string[] | null }>(EXTENSION, [name, version ?? null])
  if (found === undefined) return
  if (!found.trusted) refuse(`the extension "${name}" is not a trusted one`)
  for (const required of found.requires ?? []) await checkExtension(session, required, undefined, new Set([...seen, name]))
}
