import { dockerCredentials, formatImage, openPackage, parseSource, pushImage } from '@weft/xpkg'
import { readFile } from 'node:fs/promises'
import { messageOf } from '@weft/api'
import { withProgress } from '../../progress.ts'
import { CommandFailure } from '../../report.ts'
import { packageFolder } from './package-folder.ts'

export interface PushCommandOptions {
  readonly package: string
  readonly signKey?: string
  readonly insecureRegistry?: readonly string[]
  readonly timeout: number
}

export async function push(reference: string, options: PushCommandOptions): Promise<number> {
  const target = parseSource(reference)
  if (target.kind !== 'image' || target.image.digest !== undefined)
    throw new CommandFailure(`${reference} is not a place to push to: write registry/repository:tag`)
  // An unqualified name is fine to pull from the default registry; a push must say where to.
  const [host = '', ...path] = reference.split('/')
  if (path.length === 0 || !/[.:]|^localhost$/.test(host))
    throw new CommandFailure(`${reference} names no registry: write registry/repository:tag`)
  const signingKey = options.signKey === undefined ? undefined : await keyIn(options.signKey)
  const { image, contents } = await openPackage(await packageFolder(options.package))
  const digest = await withProgress(`pushing ${reference}`, () =>
    pushImage(image, target.image, {
      credentials: dockerCredentials(),
      plainHttp: options.insecureRegistry,
      timeoutMs: options.timeout,
      signingKey,
    }),
  )
  process.stdout.write(`pushed ${contents.type} ${contents.name} to ${formatImage({ ...target.image, digest })}\n`)
  return 0
}

async function keyIn(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new CommandFailure(`the signing key ${path} cannot be read: ${messageOf(cause)}`, { cause })
  }
}
