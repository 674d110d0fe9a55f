import { isJsonObject } from '@weft/api'
import type { Digest } from '../digest.ts'
import { type Descriptor, jsonOf, parseManifest } from '../image/manifest.ts'
import type { RepositoryReader } from '../registry/repository-reader.ts'
import { BUNDLE_TYPE, type SerializedBundle, withCertificate } from './bundle.ts'

/** What somebody signed, found beside an image. Nothing of it has been checked. */
export interface FoundSignature {
  /** The bytes that were signed. */
  readonly signed: Uint8Array
  readonly signature: Uint8Array
  /** Of which images it speaks. */
  readonly digests: readonly string[]
  /** What it says of them; PLAIN: no more than that they were signed. */
  readonly type: string
  /** How its author may be known without a key, if at all. */
  readonly bundle?: SerializedBundle | undefined
}

export const PLAIN = 'https://sigstore.dev/cosign/sign/v1'
export const PAYLOAD_TYPE = 'application/vnd.dev.cosign.simplesigning.v1+json'
export const STATEMENT = 'cosign container image signature'
const IN_TOTO = 'application/vnd.in-toto+json'

/** On a layer: the signature of its bytes. */
export const SIGNATURE = 'dev.cosignproject.cosign/signature'

/** More than this are not looked at. */
const MAX_SIGNATURES = 32
const MAX_PAYLOAD_BYTES = 64 * 1024
/** A statement may be a list of all that an image is made of. */
const MAX_STATEMENT_BYTES = 8 * 1024 * 1024

const tagOf = (digest: Digest, suffix: string): string => `${digest.replace(':', '-')}.${suffix}`
/** Where cosign keeps the signatures of an image, and signed statements about it. */
export const signatureTag = (digest: Digest): string => tagOf(digest, 'sig')
export const attestationTag = (digest: Digest): string => tagOf(digest, 'att')

/**
 * What was signed about an image, one after another: of the tags that cosign makes, then what refers to the image. Whatever cannot be read is passed over: a
 * stranger may have put it there.
 */
export async function* besideImage(
  repository: RepositoryReader,
  digest: Digest,
  { statements }: { readonly statements: boolean },
): AsyncGenerator<FoundSignature> {
  const layers = await layersOf(repository, statements ? attestationTag(digest) : signatureTag(digest))
  const limit = statements ? MAX_STATEMENT_BYTES : MAX_PAYLOAD_BYTES
  for (const layer of layers.slice(0, MAX_SIGNATURES)) {
    if (layer.size > limit || (!statements && (layer.annotations?.[SIGNATURE] ?? '') === '')) continue
    const bytes = await repository.blob(layer)
    const found = readable(() => (statements ? statementIn(bytes, layer.annotations) : signatureIn(bytes, layer.annotations)))
    if (found !== undefined) yield found
  }
  for (const { digest: referrer } of (await bundlesOf(repository, digest)).slice(0, MAX_SIGNATURES)) {
    const [layer] = await layersOf(repository, referrer)
    if (layer === undefined || layer.size > MAX_STATEMENT_BYTES) continue
    const bytes = await repository.blob(layer)
    const found = readable(() => bundleIn(bytes))
    if (found !== undefined) yield found
  }
}

/** Manifests that say of themselves that they hold a bundle about the image. */
export const bundlesOf = async (repository: RepositoryReader, digest: Digest): Promise<readonly Descriptor[]> =>
  (await repository.referrers(digest)).filter(({ artifactType }) => artifactType?.startsWith(BUNDLE_TYPE))

/** Of a tag or digest; none where there is none. */
export async function layersOf(repository: RepositoryReader, reference: string): Promise<readonly Descriptor[]> {
  const there = reference.startsWith('sha256:') ? reference : await repository.resolve(reference)
  if (there === undefined) return []
  const document = parseManifest((await repository.manifest(there)).bytes, `signatures of ${repository.name}`)
  return document.kind === 'manifest' ? document.manifest.layers : []
}

function readable(read: () => FoundSignature | undefined): FoundSignature | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

type Annotations = Descriptor['annotations']

function signatureIn(signed: Uint8Array, annotations: Annotations): FoundSignature | undefined {
  const { critical } = jsonOf(signed, 'signature')
  if (!isJsonObject(critical) || critical['type'] !== STATEMENT || !isJsonObject(critical['image'])) return undefined
  const signature = Buffer.from(annotations?.[SIGNATURE] ?? '', 'base64')
  return {
    signed,
    signature,
    digests: [String(critical['image']['docker-manifest-digest'])],
    type: PLAIN,
    bundle: withCertificate(annotations, { messageSignature: { signed, signature } }),
  }
}

function statementIn(bytes: Uint8Array, annotations: Annotations): FoundSignature | undefined {
  const envelope = jsonOf(bytes, 'statement')
  return enveloped(envelope, withCertificate(annotations, { dsseEnvelope: envelope }))
}

function bundleIn(bytes: Uint8Array): FoundSignature | undefined {
  const bundle = jsonOf(bytes, 'bundle') as SerializedBundle
  return isJsonObject(bundle.dsseEnvelope) ? enveloped(bundle.dsseEnvelope, bundle) : undefined
}

/** A signed statement in its envelope (DSSE, in-toto). */
function enveloped(envelope: Readonly<Record<string, unknown>>, bundle: SerializedBundle | undefined): FoundSignature | undefined {
  const { payload, payloadType, signatures } = envelope
  const [first, ...others]: readonly unknown[] = Array.isArray(signatures) ? signatures : []
  if (payloadType !== IN_TOTO || typeof payload !== 'string' || !isJsonObject(first) || others.length > 0) return undefined
  const body = Buffer.from(payload, 'base64')
  const { subject, predicateType } = jsonOf(body, 'statement')
  const subjects: readonly unknown[] = Array.isArray(subject) ? subject : []
  return {
    signed: Buffer.concat([Buffer.from(`DSSEv1 ${IN_TOTO.length} ${IN_TOTO} ${body.length} `), body]),
    signature: Buffer.from(String(first['sig']), 'base64'),
    digests: subjects.flatMap((each) =>
      isJsonObject(each) && isJsonObject(each['digest']) ? [`sha256:${String(each['digest']['sha256'])}`] : [],
    ),
    type: String(predicateType),
    bundle,
  }
}
