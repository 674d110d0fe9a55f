// The real clients that this machine can have: Debian's kubectl, unpacked into the cache without installing it, and the
// newest kubectl, Helm, kro and a controller-runtime program, built by Go. Run directly, prints them as JSON.
import { pathToFileURL } from 'node:url'
import { ensureControllerRuntime } from '../controller-runtime/build.mjs'
import { unpackedProgram } from '../debian.mjs'
import { ensureHelm } from '../helm/build.mjs'
import { ensureKro } from '../kro/build.mjs'
import { ensureKubernetes } from '../kubernetes/build.mjs'
import { clientLibraries } from './libraries.mjs'

/**
 * @returns {Promise<{kubectls: {name: string, path: string}[], controllerRuntime?: string, helm?: string, kro?: {kro: string, crds: string}, missing: string[]} | {skipped: string}>}
 */
export async function clientTier() {
  const kubectls = []
  const missing = []
  const kubernetes = await ensureKubernetes()
  if ('skipped' in kubernetes) missing.push(`current kubectl: ${kubernetes.skipped}`)
  else kubectls.push({ name: `kubectl ${kubernetes.version}`, path: kubernetes.kubectl })
  const debian = await unpackedProgram('debian-kubectl', { package: 'kubernetes-client', program: 'kubectl' })
  if ('skipped' in debian) missing.push(`Debian's kubectl: ${debian.skipped}`)
  else kubectls.push({ name: "Debian's kubectl", path: debian.path })
  const program = await ensureControllerRuntime()
  if ('skipped' in program) missing.push(`controller-runtime program: ${program.skipped}`)
  const helm = await ensureHelm()
  if ('skipped' in helm) missing.push(`Helm: ${helm.skipped}`)
  const kro = await ensureKro()
  if ('skipped' in kro) missing.push(`kro: ${kro.skipped}`)
  for (const [language, library] of Object.entries(await clientLibraries()))
    if ('skipped' in library) missing.push(`the client library of ${language}: ${library.skipped}`)
  if (kubectls.length === 0) return { skipped: missing.join('; ') }
  return {
    kubectls,
    missing,
    ...('program' in program && { controllerRuntime: program.program }),
    ...('helm' in helm && { helm: helm.helm }),
    ...('kro' in kro && { kro }),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(JSON.stringify(await clientTier(), undefined, 2))
