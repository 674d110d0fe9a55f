import { type KubeObject, parseGroupVersion } from '@weft/api'
import { type Client, NoMatchError, secretKind } from '@weft/client'
import type { ResourceSelector, SchemaSelector, Struct } from '@weft/functions'
import { type KindIndex, schemaOf } from '../composite/kind-index.ts'
import type { DefinedKind } from '../definition/definition.ts'
import { ComposeError } from './compose-error.ts'
import type { PipelineWorld } from './pipeline.ts'

/** What functions are shown of a server when they ask. */
export class LiveRequirements implements PipelineWorld {
  readonly #server: Client
  readonly #kinds: KindIndex

  constructor(client: Client, index: KindIndex) {
    this.#server = client
    this.#kinds = index
  }

  async secret(ref: { readonly namespace: string; readonly name: string }): Promise<Readonly<Record<string, string>> | undefined> {
    const secret = await this.#server.find(secretKind, ref)
    return secret === undefined ? undefined : (secret.data ?? {})
  }

  async required({ apiVersion = '', kind = '', matchName, matchLabels, namespace }: ResourceSelector): Promise<readonly KubeObject[]> {
    const served = await this.kindOf({ apiVersion, kind })
    if (served === undefined) throw new ComposeError(`cannot get required resources: nothing serves ${apiVersion} ${kind}`)
    if (matchName !== undefined) {
      const found = await this.#server.find(served, { name: matchName, namespace: served.namespaced ? namespace : undefined })
      return found === undefined ? [] : [found]
    }
    const { items } = await this.#server.list(served, {
      ...(namespace && { namespace }),
      labels: { matchLabels: { ...matchLabels?.labels } },
    })
    const key = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
    return [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1))
  }

  async schema({ apiVersion = '', kind = '' }: SchemaSelector): Promise<Struct | undefined> {
    const { group, version } = parseGroupVersion(apiVersion)
    const crd = this.#kinds.find({ group, kind })
    return crd === undefined ? undefined : (schemaOf(crd, version) as Struct | undefined)
  }

  /** Undefined: nobody serves it. */
  protected async kindOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): Promise<DefinedKind | undefined> {
    if (apiVersion === '' || kind === '') return undefined
    try {
      return await this.#server.mapping({ ...parseGroupVersion(apiVersion), kind })
    } catch (error) {
      if (error instanceof NoMatchError) return undefined
      throw error
    }
  }
}
