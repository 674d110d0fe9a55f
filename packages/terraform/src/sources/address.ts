import { PackageError } from '@weft/xpkg'

/** Whose registry is asked where an address names none. */
export const DEFAULT_HOST = 'registry.opentofu.org'
/** Who publishes a provider whose address names nobody. */
export const DEFAULT_NAMESPACE = 'hashicorp'
/** The host of providers that come from a file and were given no address. */
export const LOCAL_HOST = 'terraform.local'

/** By which a provider is known everywhere: `registry.opentofu.org/hashicorp/aws`. */
export interface ProviderAddress {
  readonly host: string
  readonly namespace: string
  readonly type: string
}

/** Where a provider is to come from: the text after `terraform:` of a package. */
export interface ProviderSource {
  readonly address: ProviderAddress
  /** A version, or a range of them; the newest unless given. */
  readonly version?: string | undefined
  /** A file of this machine: the program itself, a zip of it, or the folder that holds it. Nothing is downloaded then. */
  readonly path?: string | undefined
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/
const PART = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/
const EXECUTABLE = /^terraform-provider-([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?:_.*|\..*)?$/i
/** What programs and repositories are called, and no provider. */
const PREFIX = /^terraform-(?:provider-)?/
const FROM = '?from='

/**
 * Reads `[host/][namespace/]type[@version]`, with `?from=PATH` behind it for a file of this machine; or a path alone, whose file name says
 * the type.
 */
export function parseProviderSource(text: string): ProviderSource {
  const [named = '', path] = split(text.trim(), FROM)
  if (path === '') throw malformed(text, `nothing follows ${FROM}`)
  if (path === undefined && /^(?:\.{0,2}\/|\.{1,2}$|file:)/.test(named)) return fromPath(named)
  const [address = '', version] = split(named, '@')
  if (version === '') throw malformed(text, 'no version follows @')
  return { address: parseAddress(address), ...(version !== undefined && { version }), ...(path !== undefined && { path: plainPath(path) }) }
}

export function parseAddress(text: string): ProviderAddress {
  const parts = text.toLowerCase().split('/')
  const [type = '', namespace = DEFAULT_NAMESPACE, host = DEFAULT_HOST] = parts.toReversed()
  const wrong =
    parts.length > 3 || !HOST.test(host)
      ? text
      : [namespace, type].find((part) => !PART.test(part) || part.includes('--') || part.length > 64)
  if (wrong !== undefined)
    throw malformed(
      text,
      `${JSON.stringify(wrong)} is not part of an address; addresses look like hashicorp/aws or registry.example.org/team/dns`,
    )
  const short = type.replace(PREFIX, '')
  // Somebody copied the name of a repository, or typed a path: either would end in a registry that has no such thing.
  if (short !== type)
    throw malformed(
      text,
      `providers are known by their type alone, without ${type.slice(0, type.length - short.length)}: write ${text.slice(0, text.length - type.length)}${short}. ` +
        `If it is a file of this machine, write ./${text}`,
    )
  return { host, namespace, type }
}

/** In full, the default host included: the same text is the same provider. */
export const formatAddress = ({ host, namespace, type }: ProviderAddress): string => `${host}/${namespace}/${type}`

/** As short as it can be read back. */
export const shortAddress = ({ host, namespace, type }: ProviderAddress): string =>
  host === DEFAULT_HOST ? `${namespace}/${type}` : formatAddress({ host, namespace, type })

export const formatProviderSource = ({ address, version, path }: ProviderSource): string =>
  `${shortAddress(address)}${version === undefined ? '' : `@${version}`}${path === undefined ? '' : `${FROM}${path}`}`

function fromPath(text: string): ProviderSource {
  const path = plainPath(text)
  const name = path.replace(/\/+$/, '').split('/').at(-1) ?? ''
  const type = EXECUTABLE.exec(name)?.[1]?.toLowerCase()
  if (type === undefined)
    throw malformed(
      text,
      `the name of the file does not say which provider it is: call it terraform-provider-<type>, or write <namespace>/<type>${FROM}${path}`,
    )
  return { address: { host: LOCAL_HOST, namespace: 'local', type }, path }
}

function plainPath(text: string): string {
  if (!text.startsWith('file:')) return text
  const path = decodeURIComponent(new URL(text).pathname)
  return path
}

function split(text: string, at: string): [string, string | undefined] {
  const index = text.indexOf(at)
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + at.length)]
}

const malformed = (text: string, why: string): PackageError =>
  new PackageError('Malformed', `${JSON.stringify(text)} names no Terraform provider: ${why}`)
