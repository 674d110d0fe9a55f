import { randomBytes } from 'node:crypto'
import { identifier, literal } from '../sql/identifier.ts'
import { scramVerifier } from '../sql/scram.ts'
import type { Session, Sessions } from '../sql/sessions.ts'
import { FIRST_DATABASE, OWNER, SUPERUSER } from './superuser.ts'

/**
 * Takes the superuser back on a server whose superuser was handed out, under the name of the role that is handed out today: the superuser
 * gets another name and another password, and a role without its rights takes its old name, so that whoever read the name from the
 * connection secret goes on. One transaction: a crash leaves the server as it was, or done.
 *
 * `found` is the superuser's session. Idempotent.
 */
export async function takeBackSuperuser(found: Session, passwords: { superuser: string; owner: string }): Promise<void> {
  const session = found.in(FIRST_DATABASE)
  const [bootstrap] = await session.query<{ name: string }>('select rolname as "name" from pg_authid where oid = 10')
  if (bootstrap === undefined || bootstrap.name === SUPERUSER) return
  const suffix = randomBytes(6).toString('hex')
  const [taken] = await session.query('select from pg_authid where rolname = $1 and oid <> 10', [SUPERUSER])
  await session.query(
    [
      ...(taken === undefined ? [] : [`alter role ${SUPERUSER} rename to ${identifier(`renamed_${suffix}`)}`]),
      // Nobody can rename the role that they are.
      `create role weft_${suffix} superuser nologin`,
      `set session authorization weft_${suffix}`,
      `alter role ${identifier(bootstrap.name)} rename to ${SUPERUSER}`,
      'reset session authorization',
      `drop role weft_${suffix}`,
      `alter role ${SUPERUSER} with superuser login password ${literal(await scramVerifier(passwords.superuser))}`,
      ...(bootstrap.name === OWNER
        ? [`create role ${OWNER} login createdb createrole password ${literal(await scramVerifier(passwords.owner))}`]
        : []),
    ].join(';\n'),
  )
}

/** Everything below 16384 came with the server; what belongs to an extension stays with it. */
const OWN = (catalogue: string, oid: string): string =>
  `${oid} >= 16384 and not exists (select from pg_depend e where e.classid = '${catalogue}'::regclass and e.objid = ${oid} and e.deptype = 'e')`

/** Statements that give what the superuser made in a database to the role that is handed out: it was the application that made it. */
const BELONGINGS = `
  select format('alter schema %I owner to ${OWNER}', nspname) as "statement" from pg_namespace
   where nspowner = 10 and ${OWN('pg_namespace', 'oid')}
  union all
  select format('alter %s %s owner to ${OWNER}',
                case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' when 'f' then 'foreign table' else 'table' end,
                c.oid::regclass) from pg_class c
   where relowner = 10 and relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${OWN('pg_class', 'c.oid')}
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and c.relkind = 'S' and d.deptype in ('a', 'i'))
  union all
  select format('alter routine %s owner to ${OWNER}', p.oid::regprocedure) from pg_proc p join pg_language l on l.oid = p.prolang
   where proowner = 10 and (l.lanpltrusted or p.prokind = 'a') and ${OWN('pg_proc', 'p.oid')}
  union all
  select format('alter type %s owner to ${OWNER}', t.oid::regtype) from pg_type t left join pg_class c on c.oid = t.typrelid
   where typowner = 10 and typelem = 0 and (typtype in ('e', 'd', 'r', 'b') or (typtype = 'c' and c.relkind = 'c')) and ${OWN('pg_type', 't.oid')}
  union all
  select format('alter operator %s owner to ${OWNER}', oid::regoperator) from pg_operator where oprowner = 10 and ${OWN('pg_operator', 'oid')}
  union all
  select format('alter collation %I.%I owner to ${OWNER}', nspname, collname) from pg_collation c join pg_namespace n on n.oid = collnamespace
   where collowner = 10 and ${OWN('pg_collation', 'c.oid')}
  union all
  select format('alter text search configuration %I.%I owner to ${OWNER}', nspname, cfgname) from pg_ts_config c join pg_namespace n on n.oid = cfgnamespace
   where cfgowner = 10 and ${OWN('pg_ts_config', 'c.oid')}
  union all
  select format('alter text search dictionary %I.%I owner to ${OWNER}', nspname, dictname) from pg_ts_dict d join pg_namespace n on n.oid = dictnamespace
   where dictowner = 10 and ${OWN('pg_ts_dict', 'd.oid')}
  union all
  select format('alter statistics %I.%I owner to ${OWNER}', nspname, stxname) from pg_statistic_ext s join pg_namespace n on n.oid = stxnamespace
   where stxowner = 10 and ${OWN('pg_statistic_ext', 's.oid')}
  union all
  select format('alter large object %s owner to ${OWNER}', oid) from pg_largeobject_metadata where lomowner = 10`

/** What would go on with the superuser's rights, or run as whoever meets it: it is shut, not given away. */
const TRAPS = `
  select format('alter event trigger %I disable', evtname) as "statement" from pg_event_trigger where evtenabled <> 'D' and ${OWN('pg_event_trigger', 'oid')}
  union all
  select format('revoke all on routine %s from public', p.oid::regprocedure) from pg_proc p join pg_language l on l.oid = p.prolang
   where not l.lanpltrusted and p.prokind <> 'a' and ${OWN('pg_proc', 'p.oid')}
  union all
  select format('revoke all on routine %s from %I cascade', p.oid::regprocedure, g.rolname)
    from pg_proc p join pg_language l on l.oid = p.prolang, aclexplode(p.proacl) a join pg_roles g on g.oid = a.grantee
   where not l.lanpltrusted and p.prokind <> 'a' and a.grantee <> 10 and ${OWN('pg_proc', 'p.oid')}`

const SHARED = `
  select format('grant %I to ${OWNER} with admin true, inherit true, set true', rolname) as "statement" from pg_roles
   where oid >= 16384 and rolname not in ('${OWNER}', '${SUPERUSER}')
     and not pg_has_role('${OWNER}', oid, 'member with admin option') and not pg_has_role(oid, '${OWNER}', 'member')
  union all
  select format('revoke all on parameter %s from %s', parname, case a.grantee when 0 then 'public' else format('%I', a.grantee::regrole::text) end)
    from pg_parameter_acl p, aclexplode(p.paracl) a where a.grantee <> 10`

/**
 * Gives what the superuser made to the role that is handed out, in every database, and shuts what would still have the superuser's
 * rights. `session` is the superuser's. Idempotent.
 */
export async function giveBelongings(session: Session, sessions: Sessions): Promise<void> {
  const execute = async (where: Session, query: string): Promise<void> => {
    const rows = await where.query<{ statement: string }>(query)
    if (rows.length > 0) await where.query(rows.map(({ statement }) => statement).join(';\n'))
  }
  await execute(session, SHARED)
  const databases = await session.query<{ name: string }>(
    `select datname as "name" from pg_database where datallowconn and datname <> $1`,
    [session.endpoint.database],
  )
  for (const { name } of databases) {
    await execute(session.in(name), TRAPS)
    await execute(session.in(name), BELONGINGS)
    await sessions.leave(session.endpoint, name)
  }
}
