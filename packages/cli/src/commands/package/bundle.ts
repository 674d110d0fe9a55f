import { dockerCredentials, writeBundle } from '@weft/xpkg'
import { withProgress } from '../../progress.ts'
import { CommandFailure } from '../../report.ts'

export interface BundleOptions {
  readonly output: string
  readonly platform?: string
  readonly insecureRegistry?: readonly string[]
  readonly timeout: number
}

export async function bundle(packages: readonly string[], { output, platform, insecureRegistry, timeout }: BundleOptions): Promise<number> {
  const [os = '', architecture = ''] = platform?.split('/') ?? []
  if (platform !== undefined && !/^[a-z0-9]+\/[a-z0-9]+$/.test(platform))
    throw new CommandFailure(`${JSON.stringify(platform)} is not a platform: write linux/amd64 or linux/arm64`)
  const names = await withProgress(`making ${output}`, () =>
    writeBundle(output, packages, {
      credentials: dockerCredentials(),
      plainHttp: insecureRegistry,
      timeoutMs: timeout,
      ...(platform !== undefined && { platform: { os, architecture } }),
    }),
  )
  process.stdout.write(
    `${output} contains ${names.length === 1 ? 'a package' : `${names.length} packages`}:\n${names.map((name) => `  ${name}\n`).join('')}`,
  )
  return 0
}
