import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PackageError } from '@weft/xpkg'
import { formatAddress, type ProviderAddress } from './address.ts'
import type { ProviderArchive, ProviderCatalogue } from './catalogue.ts'
import { formatPlatform, type Platform } from './platform.ts'

/**
 * A folder of this machine, packed (`<address>/terraform-provider-<type>_<version>_<os>_<arch>.zip`, as `tofu providers mirror` writes it) or
 * unpacked (`<address>/<version>/<os>_<arch>/`): for machines that reach no registry.
 */
export function filesystemMirror(root: string): ProviderCatalogue {
  const name = `the mirror ${root}`
  const offered = async (address: ProviderAddress, platform: Platform): Promise<ReadonlyMap<string, ProviderArchive['place']>> => {
    const folder = join(root, address.host, address.namespace, address.type)
    const found = new Map<string, ProviderArchive['place']>()
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const packed = versionOf(entry.name, address.type, platform)
      if (entry.isFile() && packed !== undefined) found.set(packed, { kind: 'zip', path: join(folder, entry.name) })
      if (!entry.isDirectory()) continue
      const path = join(folder, entry.name, formatPlatform(platform))
      const files = await readdir(path).catch(() => [])
      if (files.length > 0) found.set(entry.name, { kind: 'folder', path })
    }
    return found
  }
  /** The same namespace and type under other hosts. */
  const elsewhere = async ({ host: asked, ...rest }: ProviderAddress, platform: Platform): Promise<readonly ProviderAddress[]> => {
    const hosts = (await readdir(root).catch(() => [])).filter((host) => host !== asked)
    const found = await Promise.all(
      hosts.map(async (host) => ((await offered({ ...rest, host }, platform)).size > 0 ? [{ ...rest, host }] : [])),
    )
    return found.flat()
  }
  return {
    name,
    async versions(address, { platform }) {
      const found = await offered(address, platform)
      if (found.size === 0) {
        // `terraform providers mirror` writes the address of another registry than `tofu providers mirror` does.
        const [other] = await elsewhere(address, platform)
        const hint = other === undefined ? '' : `, but ${formatAddress(other)}: write that`
        throw new PackageError('NotFound', `${name} has no provider ${formatAddress(address)} for ${formatPlatform(platform)}${hint}`)
      }
      return [...found.keys()]
    },
    async archive(address, version, { platform }) {
      const place = (await offered(address, platform)).get(version)
      if (place === undefined)
        throw new PackageError('NotFound', `${name} has no ${formatAddress(address)} ${version} for ${formatPlatform(platform)}`)
      return { place, hashes: [], trust: `kept in ${name}` }
    },
  }
}

function versionOf(file: string, type: string, platform: Platform): string | undefined {
  const [before, after] = [`terraform-provider-${type}_`, `_${formatPlatform(platform)}.zip`]
  return file.startsWith(before) && file.endsWith(after) && file.length > before.length + after.length
    ? file.slice(before.length, -after.length)
    : undefined
}
