// Builds the real kube-apiserver, kube-controller-manager, kubectl and etcd.
// Run directly, it prints their paths as JSON.
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { goBuild } from './go-build.mjs'

const dir = dirname(fileURLToPath(import.meta.url))

/**
 * @returns {Promise<{apiserver: string, controllerManager: string, kubectl: string, etcd: string, version: string}
 *   | {skipped: string}>} skipped: why this machine cannot build them (no Go, or too old a Go)
 */
export async function ensureKubernetes() {
  const version = /k8s\.io\/kubernetes (v[\d.]+)/.exec(await readFile(join(dir, 'go.mod'), 'utf8'))[1]
  // A build from the module proxy has no version of its own; without these
  // `kubectl version` and /version would answer v0.0.0-master.
  const [major, minor] = version.slice(1).split('.')
  const stamp = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' }
  const ldflags = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((pkg) =>
    Object.entries(stamp).map(([name, value]) => `-X ${pkg}.${name}=${value}`),
  )
  // `tool` is Go's name for all the programs on the tool lines of go.mod;
  // etcd's is the root of a module called server, hence the new name.
  const built = await goBuild({ name: 'kubernetes', dir, packages: ['tool'], ldflags, names: { server: 'etcd' } })
  if ('skipped' in built) return built
  return {
    apiserver: join(built.bin, 'kube-apiserver'),
    controllerManager: join(built.bin, 'kube-controller-manager'),
    kubectl: join(built.bin, 'kubectl'),
    etcd: join(built.bin, 'etcd'),
    version,
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(JSON.stringify(await ensureKubernetes(), undefined, 2))
