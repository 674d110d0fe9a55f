import type { Client } from '@weft/client'
import type { PackageRun } from '@weft/controllers'
import { detectIsolation } from '@weft/program'
import { freePort, type ImageCommand, type ImageProgramOptions, startImageProgram, whyNot } from './image-program.ts'
import { type ProgramPlan, type ProgramRuntime, programSlots } from './program-slots.ts'
import { ensureFunctionClientTls, ensureServerTls } from './tls-secrets.ts'

const HOST = '127.0.0.1'
/** Where functions listen that cannot be told otherwise. */
const STANDARD_PORT = 9443
const CERTIFICATES = '/tls/server'
/** What programs say of a flag that they do not know, in Go, Python and JavaScript. */
const UNKNOWN_FLAG =
  /unknown (flag|option|argument|long flag)|flag provided but not defined|no such option|unrecognized argument|unexpected argument/i

export interface FunctionProgramsOptions extends ImageProgramOptions {
  /** Keeps the certificates of functions. */
  readonly client: Client
}

/** Runs the programs of functions: each asked at an address of its own on this machine, by nobody who cannot show our certificate. */
export const functionPrograms = (options: FunctionProgramsOptions): ProgramRuntime =>
  programSlots({ plan: (run) => planOf(run, options), isolation: detectIsolation })

async function planOf(run: PackageRun, options: FunctionProgramsOptions): Promise<ProgramPlan> {
  const { program } = run.contents
  if (program === undefined) return { type: 'refused', why: 'its image names no program to start (it has no Entrypoint): ask its author' }
  const why = await whyNot(program, options)
  if (why !== undefined) return { type: 'refused', why }
  return {
    type: 'process',
    async start(releases) {
      const { packageName, revision, onChange } = run
      const files = await certificatesOf(options.client, packageName)
      let takesAddress = true
      const name = revision.metadata.name ?? ''
      return startImageProgram(
        {
          name: programName(packageName),
          revision: programName(name),
          program,
          what: "the function's process",
          onChange,
          files,
          async command({ before, at }): Promise<ImageCommand> {
            if (takesAddress && UNKNOWN_FLAG.test(before) && before.includes('address')) takesAddress = false
            const port = takesAddress ? await freePort(HOST) : STANDARD_PORT
            return {
              args: takesAddress ? ['--address', `${HOST}:${port}`] : [],
              env: {
                FUNCTION_NAME: packageName,
                REVISION_NAME: name,
                REVISION_UID: revision.metadata.uid ?? '',
                TLS_SERVER_CERTS_DIR: at(CERTIFICATES),
              },
              listens: { host: HOST, port },
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

async function certificatesOf(client: Client, packageName: string): Promise<Readonly<Record<string, string>>> {
  await ensureFunctionClientTls(client)
  const tls = await ensureServerTls(client, packageName)
  return {
    [`${CERTIFICATES}/tls.crt`]: tls['tls.crt'],
    [`${CERTIFICATES}/tls.key`]: tls['tls.key'],
    [`${CERTIFICATES}/ca.crt`]: tls['ca.crt'],
  }
}
