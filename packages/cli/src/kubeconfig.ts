import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** What it takes to reach a server: the current context of a kubeconfig with embedded credentials. */
export interface Connection {
  readonly server: string
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly token?: string
}

interface Kubeconfig {
  readonly 'current-context'?: string
  readonly contexts?: readonly { name: string; context: { cluster: string; user: string } }[]
  readonly clusters?: readonly { name: string; cluster: { server: string; 'certificate-authority-data'?: string } }[]
  readonly users?: readonly { name: string; user: { 'client-certificate-data'?: string; 'client-key-data'?: string; token?: string } }[]
}

export function readConnection(path: string): Connection {
  let config: Kubeconfig
  try {
    config = (parse(readFileSync(path, 'utf8')) ?? {}) as Kubeconfig
  } catch (cause) {
    throw new Error(`cannot read ${path}: ${(cause as Error).message}; start a server with \`weft up\`, or name its kubeconfig with --kubeconfig`, { cause })
  }
  const context = config.contexts?.find(({ name }) => name === config['current-context'])?.context
  const cluster = config.clusters?.find(({ name }) => name === context?.cluster)?.cluster
  const user = config.users?.find(({ name }) => name === context?.user)?.user
  if (cluster === undefined) throw new Error(`${path} has no usable current context; check it, or name another with --kubeconfig`)
  const pem = (data: string | undefined): string | undefined => (data === undefined ? undefined : Buffer.from(data, 'base64').toString())
  const [ca, cert, key, token] = [pem(cluster['certificate-authority-data']), pem(user?.['client-certificate-data']), pem(user?.['client-key-data']), user?.token]
  return { server: cluster.server, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), ...(token && { token }) }
}
