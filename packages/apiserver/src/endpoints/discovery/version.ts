import { assertProducible } from '../answer/negotiate.ts'
import { indentedJson, isRead, methodNotAllowed } from './document.ts'
import type { PathHandler } from '../server.ts'

/** What `/version` tells. Clients compare `major` and `minor` with their own to warn of skew. */
export interface VersionInfo {
  readonly major: string
  readonly minor: string
  readonly emulationMajor: string
  readonly emulationMinor: string
  readonly minCompatibilityMajor: string
  readonly minCompatibilityMinor: string
  readonly gitVersion: string
  readonly gitCommit: string
  readonly gitTreeState: string
  readonly buildDate: string
  readonly goVersion: string
  readonly compiler: string
  readonly platform: string
}

/** The Kubernetes release whose API is served. */
export const KUBERNETES_VERSION = 'v1.36.0'

const GO_ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }

/** `goVersion` is parsed by nobody and shown by `kubectl version -o yaml`; it names what really runs here. */
export function versionInfo(build: { readonly commit?: string; readonly date?: string } = {}): VersionInfo {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return {
    major: '1',
    minor: '36',
    emulationMajor: '1',
    emulationMinor: '36',
    minCompatibilityMajor: '1',
    minCompatibilityMinor: '35',
    gitVersion: `${KUBERNETES_VERSION}+weft`,
    gitCommit: build.commit ?? '',
    gitTreeState: 'clean',
    buildDate: build.date ?? '1970-01-01T00:00:00Z',
    goVersion: `node${process.versions.node}`,
    compiler: 'v8',
    platform: `${platform}/${GO_ARCHITECTURES[process.arch] ?? process.arch}`,
  }
}

export function versionHandler(info: VersionInfo = versionInfo()): PathHandler {
  const response = indentedJson(info)
  return (request, { path }) => {
    if (path !== '/version' && path !== '/version/') return undefined
    if (!isRead(request)) throw methodNotAllowed()
    assertProducible(request.header('accept') ?? '', ['application/json'])
    return response
  }
}
