import type { Client } from '@weft/client'
import type { PackageRun } from '@weft/controllers'
import { type AnyPort, canChoosePorts, detectIsolation, listeningPorts, type ProgramCommand } from '@weft/program'
import { freePort, type ImageProgramOptions, plannedBy, startImageProgram, UNKNOWN_FLAG, whyNot } from './image-program.ts'
import { type ProgramPlan, type ProgramRuntime, programSlots } from './program-slots.ts'
import { isTaken, nextAnyPort, whyTaken } from './taken-port.ts'
import { ensureFunctionClientTls, ensureServerTls, SERVER_CERTIFICATES, tlsFiles } from './tls-secrets.ts'
import { answers } from './webhook-ports.ts'

const HOST = '127.0.0.1'

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
            const tls = await ensureServerTls(options.client, packageName)
            const certificates = await give.files(SERVER_CERTIFICATES, tlsFiles(tls))
            const choosable = await canChoosePorts()
            let takesAddress = true
            let anyPort: AnyPort | undefined
            const refused = (words: string): boolean => takesAddress && UNKNOWN_FLAG.test(words) && words.includes('address')
            return async (before) => {
              if (refused(before)) takesAddress = false
              else if (!takesAddress && choosable && isTaken(before)) anyPort = nextAnyPort(anyPort)
              const port = takesAddress ? await freePort(HOST) : 0
              return {
                args: takesAddress ? ['--address', `${HOST}:${port}`] : [],
                anyPort,
                refused,
                env: {
                  FUNCTION_NAME: packageName,
                  REVISION_NAME: name,
                  REVISION_UID: revision.metadata.uid ?? '',
                  TLS_SERVER_CERTS_DIR: certificates,
                },
                finds: placeFinder({ packageName, ca: tls['ca.crt'], told: takesAddress ? port : undefined }),
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

/** A look at all ports of a program is one at all processes. */
const OTHERS_EVERY = 10

interface Sought {
  readonly packageName: string
  readonly ca: string
  /** Where it was told to listen, if it was. */
  readonly told: number | undefined
}

/** Finds where a function listens: where it was told to, or, since not all heed that, wherever it shows our certificate. */
function placeFinder({ packageName, ca, told }: Sought): NonNullable<ProgramCommand['finds']> {
  let looks = 0
  return async (pid) => {
    const others = told === undefined || ++looks % OTHERS_EVERY === 0 ? await listeningPorts(pid) : []
    for (const port of [...(told === undefined ? [] : [told]), ...others])
      if (await answers(port, packageName, ca)) return { host: HOST, port }
    return undefined
  }
}

/** Nothing that a package is called has this in its name: a provider and a function may be called the same. */
const programName = (name: string): string => `function_${name}`
