// The real clients that this machine can have: Debian's kubectl, unpacked into the cache without installing it, and the
// newest kubectl and a controller-runtime program, built by Go. Run directly, prints them as JSON.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureControllerRuntime } from '../controller-runtime/build.mjs'
import { ensureKubernetes } from '../kubernetes/build.mjs'
import { cacheRoot } from '../kubernetes/go-build.mjs'

/**
 * @returns {Promise<{kubectls: {name: string, path: string}[], controllerRuntime?: string, missing: string[]} | {skipped: string}>}
 */
export async function clientTier() {
  const kubectls = []
  const missing = []
  const kubernetes = await ensureKubernetes()
  if ('skipped' in kubernetes) missing.push(`current kubectl: ${kubernetes.skipped}`)
  else kubectls.push({ name: `kubectl ${kubernetes.version}`, path: kubernetes.kubectl })
  const debian = await debianKubectl()
  if ('skipped' in debian) missing.push(`Debian's kubectl: ${debian.skipped}`)
  else kubectls.push({ name: "Debian's kubectl", path: debian.path })
  const program = await ensureControllerRuntime()
  if ('skipped' in program) missing.push(`controller-runtime program: ${program.skipped}`)
  if (kubectls.length === 0) return { skipped: missing.join('; ') }
  return { kubectls, missing, ...('program' in program && { controllerRuntime: program.program }) }
}

async function debianKubectl() {
  const target = join(cacheRoot(), 'debian-kubectl')
  const path = join(target, 'usr', 'bin', 'kubectl')
  if (existsSync(path)) return { path }
  const half = `${target}.tmp-${process.pid}`
  const run = (command, ...args) => execFileSync(command, args, { cwd: half, stdio: ['ignore', 'ignore', 'pipe'] })
  await mkdir(half, { recursive: true })
  try {
    // The list of packages may never have been fetched on this machine; only root can fetch it.
    if (process.getuid?.() === 0) run('apt-get', 'update', '-qq')
    run('apt-get', 'download', '-qq', 'kubernetes-client')
    const [archive] = (await readdir(half)).filter((file) => file.endsWith('.deb'))
    run('dpkg-deb', '-x', archive, '.')
    await rename(half, target)
    return { path }
  } catch (error) {
    return {
      skipped:
        error.code === 'ENOENT'
          ? 'no apt on this machine'
          : String(error.stderr || error.message)
              .trim()
              .split('\n')[0],
    }
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(JSON.stringify(await clientTier(), undefined, 2))
