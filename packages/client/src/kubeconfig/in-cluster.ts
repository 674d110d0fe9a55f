import { join } from 'node:path'
import { readNamedFile } from '../http/http-options.ts'
import type { ConnectionConfig } from './kubeconfig.ts'
import { KubeconfigError } from './kubeconfig-file.ts'

const MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

/** How a pod reaches its own cluster: the service account that Kubernetes mounts. Its token is re-read as it is rotated. */
export async function inClusterConfig(env: NodeJS.ProcessEnv = process.env, directory: string = MOUNT): Promise<ConnectionConfig> {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = env
  if (host === '' || port === '')
    throw new KubeconfigError(
      'NotInCluster',
      'not inside a Kubernetes pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set',
    )
  const namespace = await readNamedFile(join(directory, 'namespace'), 'namespace file').catch(() => 'default')
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca: await readNamedFile(join(directory, 'ca.crt'), 'certificate authority'),
    tokenFile: join(directory, 'token'),
    namespace: namespace.trim(),
  }
}
