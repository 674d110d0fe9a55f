import { getOwn, isJsonObject, type JsonObject } from '@weft/api'
import {
  type CallContext,
  type ConnectionDetails,
  detailText,
  type ExternalClient,
  type ManagedResource,
  parametersOf,
  statusOf,
} from '@weft/provider-sdk'
import { generatePassword } from '../password.ts'
import { alterSettings, type RoleParameters, roleOptions, roleDifferences, type RoleRow } from './role-options.ts'
import { identifier, literal } from './identifier.ts'
import { passwordState } from './role-password.ts'
import { scramVerifier } from './scram.ts'
import type { Session } from './sessions.ts'
import { checkPrivileges, checkRole, checkSettings } from './privileged.ts'

/** Set or changed: a new password is made, published and set. */
export const ROTATE_PASSWORD = 'postgresql.sql.crossplane.io/rotate-password'

/** Reads the password that `spec.forProvider.passwordSecretRef` names; undefined when it names none. */
export type GivenPassword = (resource: ManagedResource) => Promise<string | undefined>

const OBSERVE = `
  select rolsuper as "superUser", rolinherit as "inherit", rolcreaterole as "createRole", rolcreatedb as "createDb", rolcanlogin as "login",
         rolreplication as "replication", rolbypassrls as "bypassRls", rolconnlimit as "connectionLimit", rolconfig as "settings"
    from pg_catalog.pg_roles where rolname = $1`

/**
 * A role; its name is the external name. Its password is given, or generated and published in the connection secret. A new password is
 * published before it is set: whoever dies in between leaves one that `observe` finds to be wrong, and that is then set.
 */
export function roleClient(session: Session, given: GivenPassword): ExternalClient {
  const find = async (name: string): Promise<RoleRow | undefined> => (await session.query<RoleRow>(OBSERVE, [name]))[0]
  return {
    async observe(resource, context) {
      const { externalName } = context
      identifier(externalName)
      checkRole(session, externalName)
      const row = await find(externalName)
      if (row === undefined) return { exists: false }
      const wanted = parameters(resource)
      const password = await wantedPassword(resource, context, given)
      const different = roleDifferences(wanted, row)
      if (rotationDue(resource)) different.push('password rotation')
      else if (needsPassword(wanted, context) && password === undefined) different.push('password')
      else if (password !== undefined && (await passwordState(session, externalName, password)) === 'different') different.push('password')
      const handled = handledRotation(resource)
      const { settings: _settings, ...privileges } = row
      return {
        exists: true,
        upToDate: different.length === 0,
        difference: different.join(', '),
        readiness: 'available',
        atProvider: { ...privileges, ...(handled !== undefined && { rotatedFor: handled }) },
        lateInit: { connectionLimit: row.connectionLimit, privileges: flags(row) },
        connection: details(session, externalName, password),
      }
    },
    async create(resource, context) {
      const { externalName } = context
      await check(session, parameters(resource))
      const password = await newPassword(resource, context, given)
      if (password !== undefined) await context.connection.publish(details(session, externalName, password))
      const name = identifier(externalName)
      const statements = [
        `create role ${name}${roleOptions(parameters(resource))}${await passwordClause(password)}`,
        ...alterSettings(name, parameters(resource), null),
      ]
      // One message, one transaction: a create that fails has made nothing.
      await session.query(statements.join(';\n'))
      return {}
    },
    async update(resource, context) {
      const { externalName } = context
      const row = await find(externalName)
      if (row === undefined) return {}
      const wanted = parameters(resource)
      await check(session, wanted)
      const rotate = rotationDue(resource)
      const known = rotate ? undefined : await wantedPassword(resource, context, given)
      const password = known ?? (await newPassword(resource, context, given))
      if (password !== undefined) await context.connection.publish(details(session, externalName, password))
      const stale =
        password !== undefined && (known === undefined || (await passwordState(session, externalName, password)) === 'different')
      const clauses = `${roleOptions(wanted, row)}${stale ? await passwordClause(password) : ''}`
      if (clauses !== '') await session.query(`alter role ${identifier(externalName)}${clauses}`)
      for (const statement of alterSettings(identifier(externalName), wanted, row.settings)) await session.query(statement)
      return { ...(rotate && { atProvider: { rotatedFor: resource.metadata.annotations?.[ROTATE_PASSWORD] ?? '' } }) }
    },
    async delete(_resource, { externalName }) {
      await session.query(`drop role if exists ${identifier(externalName)}`)
    },
  }
}

const parameters = (resource: ManagedResource): RoleParameters => parametersOf(resource)

async function check(session: Session, { privileges = {}, configurationParameters = [] }: RoleParameters): Promise<void> {
  checkPrivileges(session, privileges)
  await checkSettings(
    session,
    configurationParameters.map(({ name }) => name),
  )
}

const flags = ({ superUser, inherit, createRole, createDb, login, replication, bypassRls }: RoleRow): JsonObject => ({
  superUser,
  inherit,
  createRole,
  createDb,
  login,
  replication,
  bypassRls,
})

const passwordClause = async (password: string | undefined): Promise<string> =>
  password === undefined ? '' : ` password ${literal(await scramVerifier(password))}`

function details({ endpoint }: Session, name: string, password: string | undefined): ConnectionDetails {
  return { username: name, endpoint: endpoint.host, port: String(endpoint.port), ...(password !== undefined && { password }) }
}

/** A role that may log in needs one, if there is a secret to tell it in. */
const needsPassword = ({ privileges }: RoleParameters, { connection }: CallContext): boolean =>
  privileges?.login === true && connection.configured

async function wantedPassword(resource: ManagedResource, { connection }: CallContext, given: GivenPassword): Promise<string | undefined> {
  return (await given(resource)) ?? detailText(await connection.read(), 'password')
}

async function newPassword(resource: ManagedResource, context: CallContext, given: GivenPassword): Promise<string | undefined> {
  const fixed = await given(resource)
  return fixed ?? (needsPassword(parameters(resource), context) ? generatePassword() : undefined)
}

function handledRotation(resource: ManagedResource): string | undefined {
  const { atProvider } = statusOf(resource)
  const handled = isJsonObject(atProvider) ? getOwn(atProvider, 'rotatedFor') : undefined
  return typeof handled === 'string' ? handled : undefined
}

const rotationDue = (resource: ManagedResource): boolean => {
  const wanted = resource.metadata.annotations?.[ROTATE_PASSWORD]
  return wanted !== undefined && wanted !== handledRotation(resource)
}
