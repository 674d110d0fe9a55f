import { hasExternalCode } from '@weft/provider-sdk'
import type { Endpoint } from '../sql/endpoint.ts'
import { identifier, literal } from '../sql/identifier.ts'
import { matchesVerifier, scramVerifier } from '../sql/scram.ts'
import type { Session, Sessions } from '../sql/sessions.ts'
import { sqlState } from '../sql/sql-error.ts'
import type { ServerRecord } from './server-files.ts'

/** The superuser of every server. Its password stays in the server's record. */
export const SUPERUSER = 'weft_superuser'
/** The role that is handed out: it owns its server's databases and roles, and has no right beyond them. */
export const OWNER = 'postgres'
/** The superuser's own database: what others can write into theirs must not run with its rights. */
const OWN_DATABASE = SUPERUSER
/** There always, and nobody's but the superuser's. Whoever stays connected to it keeps others from making databases. */
export const FIRST_DATABASE = 'template1'

export const ADDRESS = '127.0.0.1'

/** These lead out of the database: to the files and the programs of the machine. */
export const SERVER_ROLES: readonly string[] = ['pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program']

/** What everybody may make or set (operators, event triggers, paths) is kept out of the superuser's sessions. */
const GUARDED = '-c search_path=pg_catalog -c event_triggers=off'

export const superuserEndpoint = (port: number, password: string, user: string = SUPERUSER): Endpoint => ({
  host: ADDRESS,
  port,
  user,
  password,
  database: OWN_DATABASE,
  ssl: false,
  options: GUARDED,
})

const OWNER_OPTIONS = 'login inherit createdb createrole nosuperuser noreplication nobypassrls'

interface Rights {
  readonly verifier: string | null
  readonly whole: boolean
  readonly superusers: readonly string[]
  readonly outside: readonly { readonly granted: string; readonly member: string }[]
}

const RIGHTS = `
  select (select rolpassword from pg_authid where rolname = '${OWNER}') as "verifier",
         exists (select from pg_roles r where rolname = '${OWNER}' and rolcanlogin and rolinherit and rolcreatedb and rolcreaterole
                  and not rolsuper and not rolreplication and not rolbypassrls) as "whole",
         array(select rolname::text from pg_roles where rolsuper and oid <> 10) as "superusers",
         (select coalesce(json_agg(json_build_object('granted', g.rolname, 'member', m.rolname)), '[]')
            from pg_auth_members a join pg_roles g on g.oid = a.roleid join pg_roles m on m.oid = a.member
           where g.rolname = any($1) and m.oid >= 16384) as "outside"`

/** Do the roles of a server have exactly the rights that they should, and the one handed out its password? */
export async function isConfined(session: Session, password: string): Promise<boolean> {
  const rights = await rightsOf(session)
  if (rights === undefined || !rights.whole || rights.superusers.length > 0 || rights.outside.length > 0) return false
  return rights.verifier !== null && (await matchesVerifier(password, rights.verifier)) === true
}

/** Undefined: the superuser has no database of its own yet. */
async function rightsOf(session: Session): Promise<Rights | undefined> {
  try {
    return (await session.query<Rights>(RIGHTS, [SERVER_ROLES]))[0]
  } catch (error) {
    if (sqlState(error) === '3D000') return undefined
    throw error
  }
}

/** Gives the roles of a server exactly the rights that they should have, and the one handed out its password. Idempotent. */
export async function confine(session: Session, password: string, sessions: Sessions): Promise<void> {
  if ((await rightsOf(session)) === undefined) await makeOwnDatabase(session, sessions)
  const rights = await rightsOf(session)
  if (rights === undefined) return
  const [owner] = await session.query(`select from pg_roles where rolname = '${OWNER}'`)
  await session.query(
    [
      `revoke all on database ${OWN_DATABASE} from public`,
      ...(owner === undefined ? [`create role ${OWNER}`] : []),
      `alter role ${OWNER} with ${OWNER_OPTIONS} password ${literal(await scramVerifier(password))}`,
      ...rights.superusers.filter((name) => name !== OWNER).map((name) => `alter role ${identifier(name)} nosuperuser noreplication`),
      ...rights.outside.map(({ granted, member }) => `revoke ${granted} from ${identifier(member)} cascade`),
      ...(await databasesOf(session)).map((name) => `alter database ${identifier(name)} owner to ${OWNER}`),
    ].join(';\n'),
  )
}

async function makeOwnDatabase({ endpoint, in: within }: Session, sessions: Sessions): Promise<void> {
  try {
    await within(FIRST_DATABASE).query(`create database ${OWN_DATABASE} template template0`)
  } catch (error) {
    if (!hasExternalCode(error, 'AlreadyExists')) throw error
  } finally {
    await sessions.leave(endpoint, FIRST_DATABASE)
  }
}

/** Databases that still are the superuser's, of those that are not its own. */
async function databasesOf(session: Session): Promise<string[]> {
  const rows = await session.query<{ name: string }>(`select datname as "name" from pg_database where datdba = 10 and datname <> all($1)`, [
    ['template0', FIRST_DATABASE, OWN_DATABASE],
  ])
  return rows.map(({ name }) => name)
}

/** Where the superuser is let in: with its password, or with one that a server of an older version may still have. */
export async function letIn(sessions: Sessions, { port, superuserPassword, exposed = [] }: ServerRecord): Promise<Endpoint | undefined> {
  const own = superuserPassword === undefined ? [] : [superuserPassword]
  const candidates = [
    ...own.map((password) => superuserEndpoint(port, password)),
    ...(exposed.length === 0 ? [] : [...own, ...exposed].map((password) => superuserEndpoint(port, password, OWNER))),
  ]
  for (const endpoint of candidates)
    try {
      await sessions.logIn(endpoint)
      return endpoint
    } catch (error) {
      // It asks for the password first: whoever hears that the database is missing was let in.
      if (sqlState(error) === '3D000') return endpoint
      if (!hasExternalCode(error, 'Denied')) throw error
    }
  return undefined
}
