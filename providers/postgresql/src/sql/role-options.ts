import { identifier, integer, literal } from './identifier.ts'

/** `spec.forProvider` of a Role. */
export interface RoleParameters {
  readonly connectionLimit?: number
  readonly privileges?: Partial<Record<Privilege, boolean>>
  readonly configurationParameters?: readonly { readonly name: string; readonly value: string }[]
}

const CLAUSES = {
  superUser: 'superuser',
  inherit: 'inherit',
  createDb: 'createdb',
  createRole: 'createrole',
  login: 'login',
  replication: 'replication',
  bypassRls: 'bypassrls',
} as const

type Privilege = keyof typeof CLAUSES

export type RoleRow = Readonly<Record<Privilege, boolean>> & {
  readonly connectionLimit: number
  /** `name=value`. */
  readonly settings: readonly string[] | null
}

const PRIVILEGES = Object.keys(CLAUSES) as Privilege[]

/** Only what differs from `row`: whoever is no superuser may not even say that a role stays without its rights. */
export function roleOptions({ privileges = {}, connectionLimit }: RoleParameters, row?: RoleRow): string {
  const parts = PRIVILEGES.flatMap((name) =>
    typeof privileges[name] === 'boolean' && privileges[name] !== row?.[name]
      ? [privileges[name] ? CLAUSES[name] : `no${CLAUSES[name]}`]
      : [],
  )
  if (connectionLimit !== undefined && connectionLimit !== null && connectionLimit !== row?.connectionLimit)
    parts.push(`connection limit ${integer(connectionLimit, 'connectionLimit')}`)
  return parts.length === 0 ? '' : ` with ${parts.join(' ')}`
}

export function roleDifferences(wanted: RoleParameters, row: RoleRow): string[] {
  const { privileges = {}, connectionLimit, configurationParameters } = wanted
  const different: string[] = PRIVILEGES.filter((name) => typeof privileges[name] === 'boolean' && privileges[name] !== row[name])
  if (connectionLimit !== undefined && connectionLimit !== null && connectionLimit !== row.connectionLimit)
    different.push('connectionLimit')
  if (configurationParameters !== undefined && alterSettings('', wanted, row.settings).length > 0) different.push('configurationParameters')
  return different
}

/** Statements that make the role's settings those that are wanted. Settings are left alone unless some are given. */
export function alterSettings(role: string, { configurationParameters }: RoleParameters, current: RoleRow['settings']): string[] {
  if (configurationParameters === undefined) return []
  const have = new Map(
    (current ?? []).map((entry) => [entry.slice(0, entry.indexOf('=')).toLowerCase(), entry.slice(entry.indexOf('=') + 1)]),
  )
  const want = new Map(configurationParameters.map(({ name, value }) => [name.toLowerCase(), value]))
  const set = [...want]
    .filter(([name, value]) => have.get(name) !== value)
    .map(([name, value]) => `alter role ${role} set ${settingName(name)} to ${literal(value)}`)
  const reset = [...have.keys()].filter((name) => !want.has(name)).map((name) => `alter role ${role} reset ${settingName(name)}`)
  return [...set, ...reset]
}

/** Settings of extensions have a dot in their names, which is not part of an identifier. */
const settingName = (name: string): string => name.split('.').map(identifier).join('.')
