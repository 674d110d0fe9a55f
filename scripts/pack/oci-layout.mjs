// Images and other artefacts as folders, and from there to registries.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { digestOf } from './standalone.mjs'

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const PUSH_MS = 900_000

/** Writes an OCI layout of one manifest. `config` and `layers` are `{mediaType, bytes}`. */
export async function writeLayout(folder, { tag, platform, annotations = {}, config, layers }) {
  const descriptor = ({ mediaType, bytes }) => ({ mediaType, digest: `sha256:${digestOf(bytes)}`, size: bytes.length })
  const manifest = Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config: descriptor(config), layers: layers.map(descriptor) }),
  )
  const listed = {
    ...descriptor({ mediaType: MANIFEST, bytes: manifest }),
    ...(platform !== undefined && { platform }),
    annotations: { 'org.opencontainers.image.ref.name': tag, ...annotations },
  }
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'blobs', 'sha256'), { recursive: true })
  for (const bytes of [config.bytes, manifest, ...layers.map((layer) => layer.bytes)])
    await writeFile(join(folder, 'blobs', 'sha256', digestOf(bytes)), bytes)
  await writeFile(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
  await writeFile(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [listed] }))
}

/** Pushes what a layout holds, signed in as docker is. Answers the digest. */
export async function pushLayout(folder, reference) {
  const { dockerCredentials, parseSource, pushImage } = await tsImport('@weft/xpkg', import.meta.url)
  const target = parseSource(reference)
  if (target.kind !== 'image') throw new Error(`${reference} names no place in a registry: write registry/repository:tag`)
  const { manifests } = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'))
  const [{ digest, mediaType }] = manifests
  const blob = (wanted) => readFile(join(folder, 'blobs', ...wanted.split(':')))
  const manifest = await blob(digest)
  const { config, layers } = JSON.parse(manifest.toString())
  const blobs = new Map(await Promise.all([config, ...layers].map(async (each) => [each.digest, await blob(each.digest)])))
  const image = { digest, manifest, mediaType, config, layers, blobs }
  return await pushImage(image, target.image, { credentials: dockerCredentials(), timeoutMs: PUSH_MS })
}
