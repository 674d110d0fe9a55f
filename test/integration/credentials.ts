import { parse } from 'yaml'

/** What it takes to reach a server. */
export interface Credentials {
  readonly server: string
  /** PEM, as the others. */
  readonly ca: string
  readonly cert: string
  readonly key: string
}

/** From the text of the kubeconfig that `weft up` writes. */
export function parseKubeconfig(text: string): Credentials {
  const { clusters, users } = parse(text) as { clusters: [{ cluster: Record<string, string> }]; users: [{ user: Record<string, string> }] }
  const pem = (data: string | undefined): string => Buffer.from(data ?? '', 'base64').toString()
  const { cluster } = clusters[0]
  const { user } = users[0]
  return {
    server: cluster['server'] ?? '',
    ca: pem(cluster['certificate-authority-data']),
    cert: pem(user['client-certificate-data']),
    key: pem(user['client-key-data']),
  }
}
