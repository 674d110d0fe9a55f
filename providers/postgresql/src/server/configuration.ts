import { ExternalError } from '@weft/provider-sdk'

/** Settings of the server that are ours, because everything depends on them. */
const OURS: ReadonlySet<string> = new Set([
  'port',
  'listen_addresses',
  'unix_socket_directories',
  'data_directory',
  'config_file',
  'hba_file',
  'ident_file',
  'external_pid_file',
  'password_encryption',
  'include',
  'include_dir',
  'include_if_exists',
  'superuser_reserved_connections',
  'allow_alter_system',
  'allow_system_table_mods',
  'event_source',
  'log_filename',
  'logging_collector',
  'log_destination',
])

/** Settings that make a server run programs, load libraries, or read and write files: they lead out of the database, to the machine. */
const OUTSIDE =
  /(_command|_cmd|_librar(y|ies)|_files?|_keyfile|_dir|_director(y|ies)|_path|_provider|_conninfo)$|^(ssl|unix_socket|syslog|oauth|krb|gss|recovery|archive|primary)_/
/** Paths in the database, not in the machine. */
const INSIDE: ReadonlySet<string> = new Set(['search_path', 'archive_timeout'])

export interface ServerSettings {
  readonly port: number
  readonly address: string
  /** `spec.forProvider.parameters`. */
  readonly parameters: Readonly<Record<string, string>>
}

/** The whole of postgresql.conf: nothing else is read, so what is not in it is the server's default. */
export function formatConfiguration({ port, address, parameters }: ServerSettings): string {
  const lines = Object.entries(parameters)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${checked(name)} = ${quoted(value)}`)
  return [
    '# Written by Weft: changes made here are undone.',
    `port = ${port}`,
    `listen_addresses = ${quoted(address)}`,
    `unix_socket_directories = ''`,
    `password_encryption = 'scram-sha-256'`,
    // Whoever creates a role can use it: the role that is handed out makes databases for others.
    ...(Object.keys(parameters).some((name) => name.toLowerCase() === 'createrole_self_grant')
      ? []
      : [`createrole_self_grant = 'set, inherit'`]),
    // A small server by default; parameters may say otherwise.
    ...(Object.keys(parameters).some((name) => name.toLowerCase() === 'shared_buffers') ? [] : [`shared_buffers = '16MB'`]),
    ...lines,
    '',
  ].join('\n')
}

/** From this machine, by network, with a password; in no other way. Replication is nobody's. */
export const ACCESS_RULES = 'local all all reject\nhost all all 127.0.0.1/32 scram-sha-256\n'

function checked(name: string): string {
  if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/.test(name))
    throw new ExternalError('Invalid', `spec.forProvider.parameters: "${name}" is not the name of a setting`)
  if (OUTSIDE.test(name) && !INSIDE.has(name))
    throw new ExternalError(
      'Invalid',
      `spec.forProvider.parameters: ${name} is not allowed: it could run programs or reach files of the machine. Remove it`,
    )
  if (OURS.has(name)) throw new ExternalError('Invalid', `spec.forProvider.parameters: ${name} is set by Weft`)
  return name
}

function quoted(value: string): string {
  if (/[\0\n\r]/.test(value)) throw new ExternalError('Invalid', 'spec.forProvider.parameters: values are one line each')
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
