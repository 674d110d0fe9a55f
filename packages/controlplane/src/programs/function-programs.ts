import type { Client } from '@weft/client'
import type { PackageRun } from '@weft/controllers'
import { type AnyPort, canChoosePorts, detectIsolation, listeningPorts, type ProgramCommand } from '@weft/program'
import { freePort, type ImageProgramOptions, plannedBy, startImageProgram, UNKNOWN_FLAG, whyNot } from './image-program.ts'
import { keepCertificates } from './kept-certificates.ts'
import { type ProgramPlan, type ProgramRuntime, programSlots } from './program-slots.ts'
import { isTaken, nextAnyPort, whyTaken } from './taken-port.ts'
import { ensureFunctionClientTls, ensureServerTls, SERVER_CERTIFICATES } from './tls-secrets.ts'
import { answers } from './webhook-ports.ts'

const HOST = '127.0.0.1'

export interface FunctionProgramsOptions extends ImageProgramOptions {
  /** Keeps the certificates of functions. */
  readonly client: Client
}

/** Runs the programs of functions: each asked at an address of its own on this machine, by nobody who cannot show our certificate. */
export function functionPrograms(options: FunctionProgramsOptions): ProgramRuntime {
  const renewals = new Map<string, number>()
  return programSlots({ plan: (run) => planOf(run, options, renewals) })
}

/** `renewals`: how often each was given another certificate. The kits read theirs when they start, so it is started anew. */
async function planOf(run: PackageRun, options: FunctionProgramsOptions, renewals: Map<string, number>): Promise<ProgramPlan> {
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
  const { packageName, revision, onChange } = run
  const planned = plannedBy(settings)
  const renewed = renewals.get(packageName)
  return {
    type: 'process',
    isolation: await detectIsolation(),
    ...planned,
    ...(renewed !== undefined && { key: JSON.stringify([planned.key, renewed]) }),
    async start(releases) {
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
            const { path: certificates, tls } = await keepCertificates(
              give,
              {
                folder: SERVER_CERTIFICATES,
                async ensure() {
                  await ensureFunctionClientTls(options.client)
                  return ensureServerTls(options.client, packageName)
                },
                onRenewed() {
                  renewals.set(packageName, (renewals.get(packageName) ?? 0) + 1)
                  onChange()
                },
                // It is looked at again, long before the one that it has ends.
                onError: () => undefined,
              },
              releases,
            )
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
