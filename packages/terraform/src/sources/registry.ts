import { getOwn, isJsonObject, type JsonObject } from '@weft/api'
import { isLoopback, PackageError } from '@weft/xpkg'
import { formatAddress, type ProviderAddress } from './address.ts'
import type { CatalogueRequest, ProviderArchive, ProviderCatalogue } from './catalogue.ts'
import { mustBePrivate, readDocument, readJson } from './documents.ts'
import { formatPlatform } from './platform.ts'
import { checksumOf } from './checksum-of.ts'
import { verifySignature } from './signature.ts'

export interface RegistryCatalogueOptions {
  /** Bearer tokens, by host. */
  readonly tokens?: ReadonlyMap<string, string> | undefined
  /**
   * Take what no key vouches for, from every registry. Without it only the default registry may offer providers unsigned: it names no keys for
   * those whose authors gave it none.
   */
  readonly unsigned?: boolean | undefined
}

/** These may offer providers that nobody signed; the checksum that the registry itself states counts then. */
const MAY_BE_UNSIGNED: ReadonlySet<string> = new Set(['registry.opentofu.org'])

/** The registries that addresses name, by the provider registry protocol: each is found by its discovery document. */
export function registryCatalogue({ tokens, unsigned = false }: RegistryCatalogueOptions = {}): ProviderCatalogue {
  const bases = new Map<string, Promise<URL>>()
  const baseOf = (host: string, signal: AbortSignal): Promise<URL> => {
    let base = bases.get(host)
    if (base === undefined) {
      bases.set(host, (base = discover(host, { signal, token: tokens?.get(host) })))
      // One that could not be asked is asked again.
      base.catch(() => bases.delete(host))
    }
    return base
  }
  const read = async (
    address: ProviderAddress,
    path: string,
    signal: AbortSignal,
  ): Promise<{ url: URL; document: JsonObject | undefined }> => {
    const { host, namespace, type } = address
    const url = new URL(`${namespace}/${type}/${path}`, await baseOf(host, signal))
    const what = formatAddress(address)
    // A token is for the registry's own host, and for nobody whom its discovery document points to.
    const token = url.hostname === new URL(`https://${host}`).hostname ? tokens?.get(host) : undefined
    return { url, document: await readJson(url, { signal, what, token }) }
  }
  return {
    name: 'its registry',
    async versions(address, { platform, signal }) {
      const { document } = await read(address, 'versions', signal)
      if (document === undefined)
        throw new PackageError('NotFound', `${address.host} has no provider ${address.namespace}/${address.type}; check its name`)
      const versions = listAt(document, 'versions')
      const usable = versions.filter((each) => runsOn(each, platform))
      if (versions.length > 0 && usable.length === 0)
        throw new PackageError('NotFound', `no version of ${formatAddress(address)} is built for ${formatPlatform(platform)}`)
      return usable.map((each) => textAt(each, 'version')).filter((version) => version !== '')
    },
    async archive(address, version, request) {
      const { platform, signal } = request
      const { url, document } = await read(address, `${version}/download/${platform.os}/${platform.arch}`, signal)
      const what = `${formatAddress(address)} ${version}`
      if (document === undefined) throw new PackageError('NotFound', `${what} is not offered for ${formatPlatform(platform)}`)
      return checkedArchive(document, { url, what, request, unsigned: unsigned || MAY_BE_UNSIGNED.has(address.host) })
    },
  }
}

interface Download {
  /** Relative addresses are relative to it. */
  readonly url: URL
  readonly what: string
  readonly request: CatalogueRequest
  readonly unsigned: boolean
}

/** The trust chain: a key signs the list of checksums, the list names the file and its checksum, and that is the one that is looked for. */
async function checkedArchive(document: JsonObject, { url, what, request, unsigned }: Download): Promise<ProviderArchive> {
  const { platform, signal } = request
  const [os, arch] = [textAt(document, 'os'), textAt(document, 'arch')]
  if ((os !== '' && os !== platform.os) || (arch !== '' && arch !== platform.arch))
    throw new PackageError(
      'Malformed',
      `${what}: the registry answered with a file for ${os}_${arch}, and ${formatPlatform(platform)} was asked for`,
    )
  const filename = textAt(document, 'filename')
  const shasum = textAt(document, 'shasum').toLowerCase()
  const place = addressAt(document, 'download_url', url)
  if (place === undefined || filename === '' || !/^[0-9a-f]{64}$/.test(shasum))
    throw new PackageError('Malformed', `${what}: the registry does not say where its file is, or which checksum it has`)
  mustBePrivate(place, what)
  const archive = { place: { kind: 'url', url: place }, hashes: [`zh:${shasum}`] } as const
  const keys = keysOf(document)
  if (keys.length === 0) {
    if (unsigned) return { ...archive, trust: 'not signed' }
    throw new PackageError('SignatureInvalid', `${what}: its registry names no key that signs it; it is not used`)
  }
  const [sumsUrl, signatureUrl] = [addressAt(document, 'shasums_url', url), addressAt(document, 'shasums_signature_url', url)]
  if (sumsUrl === undefined || signatureUrl === undefined)
    throw new PackageError('SignatureInvalid', `${what}: its registry names keys, but no signature; it is not used`)
  const [sums, signature] = await Promise.all([sumsUrl, signatureUrl].map((each) => readDocument(each, { signal, what })))
  if (sums === undefined || signature === undefined)
    throw new PackageError('SignatureInvalid', `${what}: the list of its checksums or the signature of that is missing; it is not used`)
  const signer = await verifySignature(sums, signature, keys, what)
  if (checksumOf(sums, filename, what) !== shasum)
    throw new PackageError(
      'DigestMismatch',
      `${what}: the registry states another checksum of ${filename} than the signed list; it is not used`,
    )
  return { ...archive, trust: `signed by ${signer}` }
}

async function discover(host: string, { signal, token }: { signal: AbortSignal; token: string | undefined }): Promise<URL> {
  const { hostname } = new URL(`https://${host}`)
  const origin = `${isLoopback(hostname) ? 'http' : 'https'}://${host}`
  const url = new URL('/.well-known/terraform.json', origin)
  const document = await readJson(url, { signal, what: `the registry ${host}`, token })
  const base = document === undefined ? undefined : getOwn(document, 'providers.v1')
  if (typeof base !== 'string' || base === '')
    throw new PackageError('NotFound', `${host} is not a registry of Terraform providers: it has no ${url.pathname} that names one`)
  const found = new URL(base.endsWith('/') ? base : `${base}/`, url)
  mustBePrivate(found, `the registry ${host}`)
  return found
}

const runsOn = (version: JsonObject, { os, arch }: CatalogueRequest['platform']): boolean => {
  const platforms = listAt(version, 'platforms')
  return platforms.length === 0 || platforms.some((each) => textAt(each, 'os') === os && textAt(each, 'arch') === arch)
}

function keysOf(document: JsonObject): readonly string[] {
  const signing = getOwn(document, 'signing_keys')
  return isJsonObject(signing) ? listAt(signing, 'gpg_public_keys').flatMap((key) => textAt(key, 'ascii_armor') || []) : []
}

function addressAt(document: JsonObject, key: string, base: URL): URL | undefined {
  const text = textAt(document, key)
  return text !== '' && URL.canParse(text, base.href) ? new URL(text, base) : undefined
}

function listAt(holder: JsonObject, key: string): readonly JsonObject[] {
  const list = getOwn(holder, key)
  return Array.isArray(list) ? list.filter((each) => isJsonObject(each)) : []
}

function textAt(holder: JsonObject, key: string): string {
  const text = getOwn(holder, key)
  return typeof text === 'string' ? text : ''
}
