import { isJsonObject } from '@weft/api'
import { isGzip } from '../archive/gzip.ts'
import { digestOf, isDigest } from '../digest.ts'
import { compressed, type Layer, type Runtime } from '../image/build-image.ts'
import { jsonOf } from '../image/manifest.ts'
import { DEFAULT_LIMITS } from '../limits.ts'
import { wholeImage } from '../open-package.ts'
import { PackageError } from '../package-error.ts'
import { imageStore } from '../source/open-path.ts'
import { programOf } from './program.ts'

/** An image as other tools write it (`docker save`, an OCI layout) as what a package runs. Throws PackageError when it runs nothing. */
export async function imageRuntime(path: string): Promise<Runtime> {
  const store = await imageStore({ kind: 'path', path }, { limits: DEFAULT_LIMITS }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause
    throw new PackageError('NotFound', `${path} cannot be read: there is no such file or directory`, { cause })
  })
  const image = await wholeImage(store)
  const configuration = image.blobs.get(image.config.digest) ?? new Uint8Array()
  const program = programOf(configuration, image, path)
  if (program === undefined)
    throw new PackageError('Malformed', `${path} names neither an Entrypoint nor a Cmd: there is nothing in it that a package could run`)
  const { config } = jsonOf(configuration, `configuration of ${path}`)
  const layers = image.layers.map(async (descriptor, at): Promise<Layer> => {
    const bytes = image.blobs.get(descriptor.digest) ?? new Uint8Array()
    const { diffId = descriptor.digest } = program.layers[at] ?? {}
    // Archives as `docker save` writes them; a registry wants what the type of a layer says.
    if (!isGzip(bytes) && isDigest(diffId) && digestOf(bytes) === diffId) return compressed(bytes)
    const { mediaType, digest, size } = descriptor
    return { descriptor: { mediaType, digest, size }, bytes, diffId }
  })
  return { platform: program.platform, config: isJsonObject(config) ? config : {}, layers: await Promise.all(layers) }
}
