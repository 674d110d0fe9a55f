import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { CommandFailure } from '../report.ts'
import type { ClusterOptions } from './cluster-options.ts'

/** Where a kubeconfig was found, and by what: messages about a server that does not answer depend on it. */
export interface KubeconfigLocation {
  readonly paths: readonly string[]
  /** Ours: written by `weft up` into this data directory. */
  readonly dataDir?: string
}

export const DEFAULT_DATA_DIR = '.weft'

/**
 * What was named wins over the environment, the environment over what lies around: `--kubeconfig`, `--data-dir`,
 * `$KUBECONFIG`, `.weft/kubeconfig` of the working directory, `~/.kube/config`.
 */
export function findKubeconfig(
  { kubeconfig, dataDir }: ClusterOptions,
  env: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
  here: string = '',
): KubeconfigLocation {
  if (kubeconfig !== undefined) return at([kubeconfig])
  if (dataDir !== undefined) {
    if (existsSync(join(dataDir, 'kubeconfig'))) return inDataDirectory(dataDir)
    throw new CommandFailure(
      `there is no control plane in ${dataDir} (no ${join(dataDir, 'kubeconfig')}): start one with \`${upCommandFor(dataDir)}\``,
    )
  }
  const named = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '')
  if (named.length > 0) return at(named)
  if (existsSync(join(here, DEFAULT_DATA_DIR, 'kubeconfig'))) return inDataDirectory(join(here, DEFAULT_DATA_DIR))
  const personal = join(home, '.kube', 'config')
  if (existsSync(personal)) return { paths: [personal] }
  throw new CommandFailure('no server to talk to: start one here with `weft up`, or name one with --kubeconfig or $KUBECONFIG')
}

/** `export KUBECONFIG=.weft/kubeconfig`, as `weft up` suggests, names its data directory as well. */
function at(paths: readonly string[]): KubeconfigLocation {
  const [path = '', ...others] = paths
  const dataDir = dirname(path)
  return others.length === 0 && basename(path) === 'kubeconfig' && existsSync(join(dataDir, 'storage')) ? { paths, dataDir } : { paths }
}

const inDataDirectory = (dataDir: string): KubeconfigLocation => ({ paths: [join(dataDir, 'kubeconfig')], dataDir })

/** What starts the control plane of a data directory. */
export const upCommandFor = (dataDir: string): string => (dataDir === DEFAULT_DATA_DIR ? 'weft up' : `weft up --data-dir ${dataDir}`)
