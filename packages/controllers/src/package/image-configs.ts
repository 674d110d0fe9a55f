import type { Client } from '@weft/client'
import { parseSource } from '@weft/xpkg'
import { type AppliedImageConfig, type ImageConfig, imageConfigKind, type RuntimeConfigReference } from './kinds.ts'
import { PackageRefusal } from './package-refusal.ts'
import type { FetchOptions, PackageStore } from './package-store.ts'
import { pullSecrets } from './pull-secrets.ts'
import { authoritiesOf, type Verification, verificationOf } from './signing-authorities.ts'

/** What ImageConfigs say of one image. */
export interface ConfiguredImage {
  /** Where it is fetched from. */
  readonly resolved: string
  readonly pullSecret?: string
  readonly verification?: Verification
  readonly runtime?: RuntimeConfigReference
  readonly applied: readonly AppliedImageConfig[]
}

/** The rules of Crossplane: for each purpose the longest prefix counts, and of two as long the first; all but the rewriting go by where it is rewritten to. */
export function configuredImage(image: string, configs: readonly ImageConfig[]): ConfiguredImage {
  const applied: AppliedImageConfig[] = []
  const choose = <T>(of: string, reason: AppliedImageConfig['reason'], read: (spec: ImageConfig['spec']) => T | undefined) => {
    let best: { readonly config: ImageConfig; readonly prefix: string; readonly value: T } | undefined
    for (const config of configs) {
      const value = read(config.spec)
      if (value === undefined) continue
      for (const { prefix } of config.spec.matchImages)
        if (of.startsWith(prefix) && prefix.length > (best?.prefix.length ?? 0)) best = { config, prefix, value }
    }
    if (best !== undefined) applied.push({ name: best.config.metadata.name ?? '', reason })
    return best
  }
  const rewrite = choose(image, 'RewriteImage', ({ rewriteImage }) => rewriteImage?.prefix)
  const resolved = rewrite === undefined ? image : `${rewrite.value}${image.slice(rewrite.prefix.length)}`
  const pull = choose(resolved, 'SetImagePullSecret', ({ registry }) => registry?.authentication?.pullSecretRef?.name)
  const verify = choose(resolved, 'VerifyImage', ({ verification }) => verification)
  const runtime = choose(resolved, 'ConfigureRuntime', (spec) => spec.runtime?.configRef)
  return {
    resolved,
    ...(pull !== undefined && { pullSecret: pull.value }),
    ...(verify !== undefined && { verification: verificationOf(verify.config) }),
    ...(runtime !== undefined && { runtime: runtime.value }),
    applied,
  }
}

/** Of packages that come from registries; those that do not are nobody's to redirect. */
export const isConfigurable = (source: string): boolean => {
  try {
    return parseSource(source).kind === 'image'
  } catch {
    return false
  }
}

export async function imageConfigOf(client: Client, source: string): Promise<ConfiguredImage> {
  if (!isConfigurable(source)) return { resolved: source, applied: [] }
  return configuredImage(source, (await client.list(imageConfigKind)).items)
}

export interface ImageConfigOptions {
  /** Text of the trusted root of Sigstore that counts where an ImageConfig names none. */
  readonly trustedRoot?: string | undefined
}

/** Fetches packages as ImageConfigs say, and knows them by the names that were asked for: locks and dependencies never hear of where they are. */
export function withImageConfigs(next: PackageStore, client: Client, { trustedRoot }: ImageConfigOptions = {}): PackageStore {
  const optionsOf = async ({ pullSecret, verification }: ConfiguredImage, options: FetchOptions): Promise<FetchOptions> => ({
    ...options,
    ...(pullSecret !== undefined && {
      dockerConfigs: [...(await pullSecrets(client, [{ name: pullSecret }])), ...(options.dockerConfigs ?? [])],
    }),
    ...(verification !== undefined && { signedBy: await authoritiesOf(client, verification, trustedRoot) }),
  })
  return {
    ...next,
    async fetch(source, options = {}) {
      const configured = await imageConfigOf(client, source)
      const { resolved, applied } = configured
      if (applied.length === 0) {
        const fetched = await next.fetch(source, options)
        return isConfigurable(source) ? { ...fetched, resolved } : fetched
      }
      mustStayAnImage(source, configured)
      const fetched = await next.fetch(resolved, await optionsOf(configured, options))
      return { ...fetched, ...next.identify(source, fetched.digest), resolved, applied }
    },
    async versions(repository, options = {}) {
      const configured = await imageConfigOf(client, repository)
      mustStayAnImage(repository, configured)
      return next.versions(configured.resolved, await optionsOf(configured, options))
    },
  }
}

/** A path would have the control plane read its own files. */
function mustStayAnImage(source: string, { resolved, applied }: ConfiguredImage): void {
  if (resolved === source || isConfigurable(resolved)) return
  throw new PackageRefusal(
    'UnpackingPackage',
    `ImageConfig ${applied[0]?.name ?? ''} rewrites ${source} to ${JSON.stringify(resolved)}, which is not an image: its rewriteImage.prefix must begin with the host of a registry`,
  )
}
