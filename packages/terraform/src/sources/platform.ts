/** For which machine a provider is built, in Go's words. */
export interface Platform {
  readonly os: string
  readonly arch: string
}

const OS: Readonly<Record<string, string>> = { win32: 'windows', sunos: 'solaris' }
const ARCH: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }

/** This machine's. */
export const thisPlatform = (): Platform => ({ os: OS[process.platform] ?? process.platform, arch: ARCH[process.arch] ?? process.arch })

export const formatPlatform = ({ os, arch }: Platform): string => `${os}_${arch}`
