import { join, resolve } from 'node:path'
import type { ClusterOptions } from '../../cluster/index.ts'
import { writeFolder } from '../../scaffold/write-folder.ts'
import { platformFiles } from './platform-files.ts'

export interface InitPlatformOptions extends ClusterOptions {
  readonly apply?: boolean
}

const WAIT_FOR_KINDS_MS = 60_000
const WAIT_MS = 300_000

/** Writes the platform and, if wanted, applies it. */
export async function initPlatform(directory: string, { apply: wanted, ...cluster }: InitPlatformOptions): Promise<number> {
  await writeFolder(resolve(directory), platformFiles(directory))
  const folder = (name: string): string => join(directory, name)
  process.stdout.write(
    `Created ${directory}: what a platform team offers in ${folder('offer')}, what an application team asks for in ${folder('ask')}\n`,
  )
  if (wanted === true) {
    const { apply } = await import('../apply/apply.ts')
    const options = {
      ...cluster,
      dryRun: 'none',
      fieldManager: 'weft-cli',
      validate: 'strict',
      waitForKinds: WAIT_FOR_KINDS_MS,
      timeout: WAIT_MS,
    }
    // At once: only then what is asked for waits for the kinds that are offered.
    const code = await apply(undefined, { ...options, filename: ['offer', 'ask'].map(folder) })
    if (code !== 0) return code
  }
  const there = sameServer(cluster)
  const before = [
    `weft apply -f ${folder('offer')} --wait${there}`,
    `weft diff -f ${folder('ask')}${there}      # what would be created`,
    `weft apply -f ${folder('ask')}${there}`,
  ]
  const after = ['get claim', 'trace postgresqlinstance/app', 'trace databaserequirement/shop'].map((command) => `weft ${command}${there}`)
  process.stdout.write(`Next:\n${[...(wanted === true ? [] : before), ...after].map((line) => `  ${line}\n`).join('')}`)
  return 0
}

/** The options that lead the next commands to the server that this one was sent to. */
function sameServer({ dataDir, kubeconfig, context }: ClusterOptions): string {
  const given: readonly (readonly [string, string | undefined])[] = [
    ['data-dir', dataDir],
    ['kubeconfig', kubeconfig],
    ['context', context],
  ]
  return given.map(([option, value]) => (value === undefined ? '' : ` --${option} ${value}`)).join('')
}
