import { getOwn } from '@weft/api'
import type { PackageRun, PackageRuntime, RuntimeHealth } from '@weft/controllers'
import { FUNCTION_MODULE, type FunctionModule, type FunctionModules } from '@weft/functions'

/** The modules of installed functions: found by whoever asks functions, kept by what runs packages. */
export interface InstalledModules extends FunctionModules {
  /** Runs the modules of packages that have one, and leaves the others to `others`. */
  beside(others: PackageRuntime): PackageRuntime
}

export interface InstalledModulesOptions {
  /** Those under development, which go before what is installed under their names. */
  readonly given?: FunctionModules | undefined
  /** Packages may bring code that runs as the user of Weft: a worker keeps its mistakes away from others, and nobody who means harm. */
  readonly allowed: boolean
}

export function installedModules({ given, allowed }: InstalledModulesOptions): InstalledModules {
  const installed = new Map<string, { readonly module: FunctionModule; readonly revision: string | undefined }>()
  const forget = (packageName: string, revision?: string): void => {
    if (revision === undefined || installed.get(packageName)?.revision === revision) installed.delete(packageName)
  }
  return {
    find: (functionName) => given?.find(functionName) ?? installed.get(functionName)?.module,
    beside: (others) => ({
      async ensure(run): Promise<RuntimeHealth> {
        const { packageName, revision } = run
        const file = moduleFile(run)
        if (file === undefined) {
          forget(packageName)
          return others.ensure(run)
        }
        await others.stop(packageName)
        const code = run.contents.files.get(file)
        if (code === undefined || !allowed) {
          forget(packageName)
          return { healthy: false, reason: 'CannotStart', message: code === undefined ? absent(file) : NOT_ALLOWED }
        }
        installed.set(packageName, { module: { code: Buffer.from(code).toString('utf8'), file }, revision: revision.metadata.name })
        return { healthy: true, reason: 'Running' }
      },
      stop(packageName, revisionName) {
        forget(packageName, revisionName)
        return others.stop(packageName, revisionName)
      },
    }),
  }
}

const absent = (file: string): string => `the package names ${file} as its module, but contains no such file`
const NOT_ALLOWED = 'its module would run as the user of Weft: allow it with weft up --allow-provider-executables'

function moduleFile({ contents: { metadata } }: PackageRun): string | undefined {
  const file = getOwn(metadata.metadata.annotations ?? {}, FUNCTION_MODULE)
  return typeof file === 'string' && file !== '' ? file.replace(/^\.\//, '') : undefined
}
