import type { Client } from '@weft/client'
import type { PackageRun } from '@weft/controllers'
import { detectIsolation } from '@weft/program'
import { freePort, type ImageProgramOptions, plannedBy, startImageProgram, UNKNOWN_FLAG, whyNot } from './image-program.ts'
import { type ProgramPlan, type ProgramRuntime, programSlots } from './program-slots.ts'
import { whyTaken } from './taken-port.ts'
import { ensureFunctionClientTls, ensureServerTls, SERVER_CERTIFICATES, tlsFiles } from './tls-secrets.ts'

const HOST = '127.0.0.1'
/** Where functions listen that cannot be told otherwise. */
const STANDARD_PORT = 9443

export interface FunctionProgramsOptions extends ImageProgramOptions {
  /** Keeps the certificates of functions. */
  readonly client: Client
}

/** Runs the programs of functions: each asked at an address of its own on this machine, by nobody who cannot show our certificate. */
export const functionPrograms = (options: FunctionProgramsOptions): ProgramRuntime => programSlots({ plan: (run) => planOf(run, options) })

async function planOf(run: PackageRun, options: FunctionProgramsOptions): Promise<ProgramPlan> {
  const { program } = run.contents
  if (program === undefined) return { type: 'refused', why: 'its image names no program to start (it has no Entrypoint): ask its author' }
  const { settings } = run
  if (settings?.runs === false)
    return {
      type: 'refused',
      why: `DeploymentRuntimeConfig ${settings.name} has replicas 0, so it is not running and cannot be called: set replicas to 1`,
    }
  const why = await whyNot(program, options)
  if (why !== undefined) return { type: 'refused', why }
  return {
    type: 'process',
    isolation: await detectIsolation(),
    ...plannedBy(settings),
    async start(releases) {
      const { packageName, revision, onChange } = run
      const name = revision.metadata.name ?? ''
      return startImageProgram(
        {
          name: programName(packageName),
          revision: programName(name),
          program,
          settings,
          what: "the function's process",
          onChange,
          explain: whyTaken,
          async prepare(give) {
            await ensureFunctionClientTls(options.client)
            const certificates = await give.files(SERVER_CERTIFICATES, tlsFiles(await ensureServerTls(options.client, packageName)))
            let takesAddress = true
            return async (before) => {
              if (takesAddress && UNKNOWN_FLAG.test(before) && before.includes('address')) takesAddress = false
              const port = takesAddress ? await freePort(HOST) : STANDARD_PORT
              return {
                args: takesAddress ? ['--address', `${HOST}:${port}`] : [],
                env: {
                  FUNCTION_NAME: packageName,
                  REVISION_NAME: name,
                  REVISION_UID: revision.metadata.uid ?? '',
                  TLS_SERVER_CERTS_DIR: certificates,
                },
                listens: { host: HOST, port },
              }
            }
          },
        },
        options,
        releases,
      )
    },
  }
}

/** Nothing that a package is called has this in its name: a provider and a function may be called the same. */
const programName = (name: string): string => `function_${name}`
