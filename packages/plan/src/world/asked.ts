import type { ResourcePath, TransportRequest } from '@weft/client'
import { isJsonObject } from '@weft/api'

/** A place where an object is, or might be. */
export interface AskedName {
  readonly group: string
  readonly plural: string
  readonly namespace?: string | undefined
  readonly name: string
}

/** Objects that were asked for by their labels. */
export interface AskedLabels {
  readonly group: string
  readonly plural: string
  readonly namespace?: string | undefined
  readonly labelSelector: string
}

/** What the controllers of a fork asked its server for: by name, to read or to write, and by labels. Each is noted once. */
export class Asked {
  readonly #names = new Map<string, AskedName>()
  readonly #labels = new Map<string, AskedLabels>()

  note(request: TransportRequest): void {
    if (!('resource' in request)) return
    const { group, plural, namespace } = request.resource
    const name = nameIn(request, request.resource)
    if (name !== '') this.#names.set(`${group}/${plural}/${namespace ?? ''}/${name}`, { group, plural, namespace, name })
    if (request.verb !== 'list' || !request.options?.labelSelector) return
    const { labelSelector } = request.options
    this.#labels.set(`${group}/${plural}/${namespace ?? ''}?${labelSelector}`, { group, plural, namespace, labelSelector })
  }

  get names(): readonly AskedName[] {
    return [...this.#names.values()]
  }

  get labels(): readonly AskedLabels[] {
    return [...this.#labels.values()]
  }
}

/** What is created is named in the object alone. */
function nameIn(request: TransportRequest, { name = '' }: ResourcePath): string {
  if (request.verb !== 'create' || name !== '') return name
  const { metadata } = request.object as { readonly metadata?: unknown }
  return isJsonObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : ''
}
