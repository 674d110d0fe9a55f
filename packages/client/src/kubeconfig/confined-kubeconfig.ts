import { isJsonObject } from '@weft/api'
import { KubeconfigError, type KubeconfigFile } from './kubeconfig-file.ts'

/** Fields that name a file of the machine that reads them, and where the same can be said in the text itself. */
const FILES: readonly (readonly [list: 'clusters' | 'users', entry: 'cluster' | 'user', field: string, instead: string])[] = [
  ['clusters', 'cluster', 'certificate-authority', 'certificate-authority-data'],
  ['users', 'user', 'client-certificate', 'client-certificate-data'],
  ['users', 'user', 'client-key', 'client-key-data'],
  ['users', 'user', 'tokenFile', 'token'],
]

/**
 * A kubeconfig that somebody else wrote must be complete in itself. Every entry is looked at, also those that no context uses: nobody
 * should have to find out which of them counts. Throws KubeconfigError `Confined`, which says what to write instead.
 */
export function mustBeConfined(file: KubeconfigFile): void {
  for (const list of ['clusters', 'users', 'contexts'] as const)
    if (file[list] !== undefined && file[list] !== null && !Array.isArray(file[list]))
      throw new KubeconfigError('Malformed', `kubeconfig: "${list}" must be a list`)
  for (const [list, key, field, instead] of FILES)
    for (const { name, value } of entriesOf(file, list, key))
      if (isSet(value[field]))
        throw new KubeconfigError(
          'Confined',
          `kubeconfig: ${key} "${name}" names a file (${field}), which is not read here: put its contents into ${instead}`,
        )
  for (const { name, value } of entriesOf(file, 'users', 'user')) {
    if (isSet(value['exec']))
      throw new KubeconfigError(
        'Confined',
        `kubeconfig: user "${name}" would run a program (exec), which is not done here: use a token, or a client certificate with its key`,
      )
    if (isSet(value['auth-provider']))
      throw new KubeconfigError(
        'Confined',
        `kubeconfig: user "${name}" uses an auth-provider, which Kubernetes has removed: use a token, or a client certificate with its key`,
      )
  }
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

function* entriesOf(
  file: KubeconfigFile,
  list: 'clusters' | 'users',
  key: 'cluster' | 'user',
): Generator<{ readonly name: string; readonly value: Readonly<Record<string, unknown>> }> {
  for (const entry of (file[list] ?? []) as readonly unknown[]) {
    if (!isJsonObject(entry)) throw new KubeconfigError('Malformed', `kubeconfig: every entry of "${list}" must be a mapping`)
    const value = entry[key]
    if (isJsonObject(value)) yield { name: String(entry['name'] ?? ''), value }
  }
}
