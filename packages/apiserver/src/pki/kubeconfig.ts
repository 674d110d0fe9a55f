import type { KeyPair } from './authority.ts'
import { writeFilesAtomically } from './files.ts'

export interface KubeconfigOptions {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  /** The authority's certificate, PEM. */
  readonly ca: string
  readonly user: KeyPair | { readonly token: string }
  /** Name of context, cluster and user; `weft` unless told. */
  readonly name?: string
  readonly namespace?: string
}

/** A kubeconfig with everything embedded, so that the one file can be copied anywhere. */
export function formatKubeconfig({ server, ca, user, name = 'weft', namespace }: KubeconfigOptions): string {
  const quoted = JSON.stringify
  const credentials =
    'token' in user
      ? [`    token: ${quoted(user.token)}`]
      : [`    client-certificate-data: ${base64(user.certificate)}`, `    client-key-data: ${base64(user.key)}`]
  return [
    'apiVersion: v1',
    'kind: Config',
    `current-context: ${quoted(name)}`,
    'clusters:',
    `- name: ${quoted(name)}`,
    '  cluster:',
    `    server: ${quoted(server)}`,
    `    certificate-authority-data: ${base64(ca)}`,
    'users:',
    `- name: ${quoted(name)}`,
    '  user:',
    ...credentials,
    'contexts:',
    `- name: ${quoted(name)}`,
    '  context:',
    `    cluster: ${quoted(name)}`,
    `    user: ${quoted(name)}`,
    ...(namespace === undefined ? [] : [`    namespace: ${quoted(namespace)}`]),
    '',
  ].join('\n')
}

/** Writes it with mode 0600, atomically: kubectl never sees half a file. */
export async function writeKubeconfig(path: string, options: KubeconfigOptions): Promise<void> {
  await writeFilesAtomically([{ path, data: formatKubeconfig(options), mode: 0o600 }])
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
