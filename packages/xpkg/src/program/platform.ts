/** What a program was built for, in the words of images. */
export interface Platform {
  readonly os: string
  readonly architecture: string
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }

/** This machine. Only Linux runs what is in images. */
export const hostPlatform = (): Platform => ({
  os: process.platform,
  architecture: ARCHITECTURES[process.arch] ?? process.arch,
})

export const platformText = ({ os, architecture }: Platform): string => `${os}/${architecture}`

/** Why a program cannot run here, in words; undefined when it can. */
export function unfit(program: Platform, host: Platform = hostPlatform()): string | undefined {
  if (host.os !== 'linux')
    return `programs of packages are Linux programs, and this machine is ${platformText(host)}: run the control plane on Linux, or on Kubernetes`
  if (program.os === host.os && program.architecture === host.architecture) return undefined
  return `its image is for ${platformText(program)}, and this machine is ${platformText(host)}: ask its author for an image of ${platformText(host)}`
}
