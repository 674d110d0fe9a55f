import { servedKind } from '../definition/served-kind.ts'
import { type KubeObject, parseGroupVersion } from '@weft/api'
import { type Client, secretKind } from '@weft/client'
import type { ResourceSelector, SchemaSelector, Struct } from '@weft/functions'
import { type KindIndex, schemaOf } from '../composite/kind-index.ts'
import { ComposeError } from './compose-error.ts'
import { asStruct, type PipelineWorld } from './pipeline.ts'

/** For a copy of a server that does not hold everything: what functions ask for is completed, or refused with the reason, rather than guessed. */
export interface Disclosure {
  /** Asked before a Secret is shown. Rejects where none may be. */
  secret(ref: { readonly namespace: string; readonly name: string }): Promise<void>
  /** What the copy has of what was asked for, with what it lacks. Rejects where that is not known. */
  complete(selector: ResourceSelector, found: readonly KubeObject[]): Promise<readonly KubeObject[]>
}

/** What functions are shown of a server when they ask. */
export class LiveRequirements implements PipelineWorld {
  readonly #server: Client
  readonly #kinds: KindIndex
  readonly #disclosure: Disclosure | undefined

  constructor(client: Client, index: KindIndex, disclosure?: Disclosure) {
    this.#server = client
    this.#kinds = index
    this.#disclosure = disclosure
  }

  async secret(ref: { readonly namespace: string; readonly name: string }): Promise<Readonly<Record<string, string>> | undefined> {
    await this.#disclosure?.secret(ref)
    const secret = await this.#server.find(secretKind, ref)
    return secret === undefined ? undefined : (secret.data ?? {})
  }

  async required(selector: ResourceSelector): Promise<readonly KubeObject[]> {
    const found = await this.#matching(selector)
    const all = this.#disclosure === undefined ? found : await this.#disclosure.complete(selector, found)
    return [...all].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  }

  async #matching({ apiVersion = '', kind = '', matchName, matchLabels, namespace }: ResourceSelector): Promise<readonly KubeObject[]> {
    const served = await servedKind(this.#server, { apiVersion, kind })
    if (served === undefined) throw new ComposeError(`cannot get required resources: nothing serves ${apiVersion} ${kind}`)
    if (matchName !== undefined) {
      const found = await this.#server.find(served, { name: matchName, namespace: served.namespaced ? namespace : undefined })
      return found === undefined ? [] : [found]
    }
    const { items } = await this.#server.list(served, {
      ...(namespace && { namespace }),
      labels: { matchLabels: { ...matchLabels?.labels } },
    })
    return items
  }

  async schema({ apiVersion = '', kind = '' }: SchemaSelector): Promise<Struct | undefined> {
    const { group, version } = parseGroupVersion(apiVersion)
    const crd = this.#kinds.find({ group, kind })
    const schema = crd && schemaOf(crd, version)
    return schema && asStruct(schema)
  }
}

const placeOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
