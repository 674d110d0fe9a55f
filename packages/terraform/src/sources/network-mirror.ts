import { getOwn, isJsonObject, type JsonObject } from '@weft/api'
import { PackageError } from '@weft/xpkg'
import { formatAddress, type ProviderAddress } from './address.ts'
import type { ProviderCatalogue } from './catalogue.ts'
import { mustBePrivate, readJson } from './documents.ts'
import { formatPlatform } from './platform.ts'

/** Static files on any web server: what `tofu providers mirror` writes, by the network mirror protocol. Its hashes are what vouches for it. */
export function networkMirror(base: URL): ProviderCatalogue {
  const root = base.pathname.endsWith('/') ? base : new URL(`${base.pathname}/`, base)
  const read = async (
    address: ProviderAddress,
    file: string,
    signal: AbortSignal,
  ): Promise<{ url: URL; document: JsonObject | undefined }> => {
    const url = new URL(`${formatAddress(address)}/${file}`, root)
    return { url, document: await readJson(url, { signal, what: formatAddress(address) }) }
  }
  const name = `the mirror ${root.href}`
  return {
    name,
    async versions(address, { signal }) {
      const { document } = await read(address, 'index.json', signal)
      const versions = document === undefined ? undefined : getOwn(document, 'versions')
      if (!isJsonObject(versions)) throw new PackageError('NotFound', `${name} has no provider ${formatAddress(address)}`)
      return Object.keys(versions)
    },
    async archive(address, version, { platform, signal }) {
      const what = `${formatAddress(address)} ${version}`
      const { url, document } = await read(address, `${version}.json`, signal)
      const archives = document === undefined ? undefined : getOwn(document, 'archives')
      const archive = isJsonObject(archives) ? getOwn(archives, formatPlatform(platform)) : undefined
      const where = isJsonObject(archive) ? getOwn(archive, 'url') : undefined
      if (!isJsonObject(archive) || typeof where !== 'string' || !URL.canParse(where, url.href))
        throw new PackageError('NotFound', `${name} has no ${what} for ${formatPlatform(platform)}`)
      const place = new URL(where, url)
      mustBePrivate(place, what)
      const hashes = getOwn(archive, 'hashes')
      const known = Array.isArray(hashes) ? hashes.filter((hash) => typeof hash === 'string') : []
      return { place: { kind: 'url', url: place }, hashes: known, trust: `offered by ${name}` }
    },
  }
}
