import { type Digest, isDigest } from '../digest.ts'
import { PackageError } from '../package-error.ts'

/** An image in an OCI registry. */
export interface ImageReference {
  /** Host and, where given, port: `registry.example.org:5000`. */
  readonly registry: string
  /** `team/configuration-network`. */
  readonly repository: string
  /** Undefined when there is a digest only. */
  readonly tag?: string
  readonly digest?: Digest
}

/** Where a package is. Text of it is what `spec.package` holds. */
export type PackageSource =
  | { readonly kind: 'image'; readonly image: ImageReference }
  /** A directory with crossplane.yaml, an .xpkg file, or an OCI layout: which of them is seen when it is read. */
  | { readonly kind: 'path'; readonly path: string; readonly digest?: Digest }

/** Where packages that name no registry come from, as Crossplane has it. */
export const DEFAULT_REGISTRY = 'xpkg.crossplane.io'

const REPOSITORY = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/
const TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/
const REGISTRY = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:]+\])(?::[0-9]{1,5})?$/

/**
 * Reads what a user wrote: `registry/repository[:tag][@sha256:…]`, or a path, which begins with `.`, `/` or `file:` or ends with `.xpkg`.
 * A path may be followed by `@sha256:…` too. Without a tag and a digest an image means `latest`.
 */
export function parseSource(
  text: string,
  { defaultRegistry = DEFAULT_REGISTRY }: { readonly defaultRegistry?: string } = {},
): PackageSource {
  const refuse = (why: string): never => {
    throw new PackageError(
      'Malformed',
      `${JSON.stringify(text)} is not a package: ${why}; write registry/repository:tag, or a path such as ./package or ./package.xpkg`,
    )
  }
  if (text === '' || text.length > 4096 || /[\s\0]/.test(text)) return refuse('it is empty, too long or contains white space')
  const [rest, digest] = splitDigest(text, refuse)
  const path = pathOf(rest)
  if (path !== undefined) return { kind: 'path', path, ...(digest && { digest }) }
  return { kind: 'image', image: imageOf(rest, digest, { defaultRegistry, refuse }) }
}

type Refuse = (why: string) => never

function splitDigest(text: string, refuse: Refuse): [string, Digest | undefined] {
  const at = text.lastIndexOf('@')
  if (at < 0) return [text, undefined]
  const digest = text.slice(at + 1)
  if (isDigest(digest)) return [text.slice(0, at), digest]
  return pathOf(text) === undefined || digest.startsWith('sha')
    ? refuse('what follows @ must be sha256: and 64 hexadecimal digits')
    : [text, undefined]
}

function pathOf(text: string): string | undefined {
  if (text.startsWith('file://')) return decodeURIComponent(text.slice('file://'.length))
  return text === '.' || text === '..' || /^(\.{1,2}\/|\/)/.test(text) || text.endsWith('.xpkg') ? text : undefined
}

function imageOf(
  text: string,
  digest: Digest | undefined,
  { defaultRegistry, refuse }: { defaultRegistry: string; refuse: Refuse },
): ImageReference {
  const slash = text.indexOf('/')
  const first = slash < 0 ? '' : text.slice(0, slash)
  // As docker tells a host from the first part of a name.
  const named = first === 'localhost' || /[.:]/.test(first)
  const registry = named ? first : defaultRegistry
  const name = named ? text.slice(slash + 1) : text
  const colon = name.lastIndexOf(':')
  const repository = colon < 0 ? name : name.slice(0, colon)
  const tag = colon < 0 ? undefined : name.slice(colon + 1)
  if (!REGISTRY.test(registry)) return refuse(`${JSON.stringify(registry)} is not a host`)
  if (repository.length > 255 || !REPOSITORY.test(repository))
    return refuse(`${JSON.stringify(repository)} is not a repository (lower case letters, digits and . _ - between them)`)
  if (tag !== undefined && !TAG.test(tag)) return refuse(`${JSON.stringify(tag)} is not a tag`)
  const chosen = tag ?? (digest === undefined ? 'latest' : undefined)
  return { registry, repository, ...(chosen !== undefined && { tag: chosen }), ...(digest && { digest }) }
}

export function formatImage({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`
}

/** The text that parseSource reads back. */
export function formatSource(source: PackageSource): string {
  return source.kind === 'image' ? formatImage(source.image) : `${source.path}${source.digest === undefined ? '' : `@${source.digest}`}`
}

/** The repository without version: by this a dependency is known. For a path, the path. */
export function repositoryOf(source: PackageSource): string {
  return source.kind === 'image' ? `${source.image.registry}/${source.image.repository}` : source.path
}
