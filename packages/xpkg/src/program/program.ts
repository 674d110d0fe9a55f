import { isJsonObject } from '@weft/api'
import { type Digest, isDigest } from '../digest.ts'
import { type Descriptor, jsonOf, type Manifest } from '../image/manifest.ts'
import { PackageError } from '../package-error.ts'
import type { Platform } from './platform.ts'

/** A layer of a program's files. */
export interface ProgramLayer extends Pick<Descriptor, 'digest' | 'size'> {
  /** Digest of the archive before compression. */
  readonly diffId: Digest
}

/** What an image runs: a file system made of layers, and what is started in it. Nothing of it is here yet; see ProgramStore. */
export interface Program {
  readonly platform: Platform
  /** From the lowest to the uppermost. */
  readonly layers: readonly ProgramLayer[]
  /** Entry point and arguments; never empty. */
  readonly command: readonly string[]
  /** How many of them are the entry point: the rest are arguments that others may take the place of. */
  readonly entry?: number
  readonly env: Readonly<Record<string, string>>
  readonly workingDirectory: string
}

/** What an image says it runs; undefined when it runs nothing, as the images of configurations do. */
export function programOf(config: Uint8Array, { layers }: Manifest, name: string): Program | undefined {
  const image = jsonOf(config, `configuration of ${name}`)
  const { Entrypoint, Cmd, Env, WorkingDir } = isJsonObject(image['config']) ? image['config'] : {}
  const entrypoint = textsOf(Entrypoint, `Entrypoint of ${name}`)
  const command = [...entrypoint, ...textsOf(Cmd, `Cmd of ${name}`)]
  if (command.length === 0) return undefined
  const diffIds = isJsonObject(image['rootfs']) ? textsOf(image['rootfs']['diff_ids'], `rootfs.diff_ids of ${name}`) : []
  if (diffIds.length !== layers.length)
    throw new PackageError(
      'Malformed',
      `${name} has ${layers.length} layers, and its configuration speaks of ${diffIds.length}: what it runs cannot be checked`,
    )
  return {
    platform: { os: textOr(image['os'], 'linux'), architecture: textOr(image['architecture'], 'amd64') },
    layers: layers.map(({ digest, size }, at) => {
      const diffId = diffIds[at] ?? ''
      if (!isDigest(diffId))
        throw new PackageError('Malformed', `layer ${digest} of ${name} has no sha256 digest of what it unpacks to in its configuration`)
      return { digest, size, diffId }
    }),
    command,
    entry: Math.max(1, entrypoint.length),
    env: Object.fromEntries(
      textsOf(Env, `Env of ${name}`).flatMap((entry) => {
        const at = entry.indexOf('=')
        return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)]] : []
      }),
    ),
    workingDirectory: textOr(WorkingDir, '/'),
  }
}

function textsOf(value: unknown, what: string): readonly string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value) && value.every((each) => typeof each === 'string' && !each.includes('\0'))) return value as string[]
  throw new PackageError('Malformed', `${what} must be a list of texts`)
}

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' && value !== '' ? value : otherwise)
