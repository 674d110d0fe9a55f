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
])

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
    // A small server by default; parameters may say otherwise.
    ...(Object.keys(parameters).some((name) => name.toLowerCase() === 'shared_buffers') ? [] : [`shared_buffers = '16MB'`]),
    ...lines,
    '',
  ].join('\n')
}

/** Everybody needs a password, from everywhere. */
export const ACCESS_RULES = 'local all all scram-sha-256\nhost all all all scram-sha-256\nhost replication all all scram-sha-256\n'

function checked(name: string): string {
  if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/.test(name))
    throw new ExternalError('Invalid', `spec.forProvider.parameters: "${name}" is not the name of a setting`)
  if (OURS.has(name)) throw new ExternalError('Invalid', `spec.forProvider.parameters: ${name} is set by Weft`)
  return name
}

function quoted(value: string): string {
  if (/[\0\n\r]/.test(value)) throw new ExternalError('Invalid', 'spec.forProvider.parameters: values are one line each')
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
