import { assertProducible } from '../answer/negotiate.ts'
import { indentedJson, isRead, methodNotAllowed } from './document.ts'
import type { PathHandler } from '../server.ts'

/** What `/version` tells. Clients compare `major` and `minor` with their own to warn of skew. */
interface VersionInfo {
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

interface Build {
  /** Of the product that serves it. */
  readonly release?: string | undefined
}

/** The Kubernetes release whose API is served. */
export const KUBERNETES_VERSION = 'v1.36.0'

const GO_ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }

/**
 * `goVersion` is parsed by nobody and shown by `kubectl version -o yaml`; it names what really runs here. The release of Weft is what semantic versions call build
 * metadata: clients show it, and compare nothing by it.
 */
function versionInfo({ release }: Build): VersionInfo {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return {
    major: '1',
    minor: '36',
    emulationMajor: '1',
    emulationMinor: '36',
    minCompatibilityMajor: '1',
    minCompatibilityMinor: '35',
    gitVersion: `${KUBERNETES_VERSION}+weft${release === undefined ? '' : `.${release}`}`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node${process.versions.node}`,
    compiler: 'v8',
    platform: `${platform}/${GO_ARCHITECTURES[process.arch] ?? process.arch}`,
  }
}

export function versionHandler(build: Build = {}): PathHandler {
  const response = indentedJson(versionInfo(build))
  return (request, { path }) => {
    if (path !== '/version' && path !== '/version/') return undefined
    if (!isRead(request)) throw methodNotAllowed()
    assertProducible(request.header('accept') ?? '', ['application/json'])
    return response
  }
}
