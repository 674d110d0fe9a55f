import { formatGroupVersion, type KubeObject, stringifyJson } from '@weft/api'
import { type ResourceType, StoredObject } from '../../registry/index.ts'
import type { WatchEvent, WatchSink } from '../exchange.ts'

/**
 * What the client of a watch has, where it may see a part of a kind. When its rights change, it is told as of any other change: what it may see from now on
 * is ADDED, what it may see no longer is DELETED.
 */
export class ShownObjects {
  readonly #type: ResourceType
  readonly #keys = new Set<string>()

  constructor(type: ResourceType) {
    this.#type = type
  }

  /** The sink, with a note of everything that goes through it. */
  through(sink: WatchSink): WatchSink {
    return {
      send: (events) => {
        this.note(events)
        sink.send(events)
      },
      close: () => sink.close(),
    }
  }

  note(events: readonly WatchEvent[]): void {
    for (const { type, object } of events) {
      if (!(object instanceof StoredObject)) continue
      if (type === 'DELETED') this.#keys.delete(object.key)
      else this.#keys.add(object.key)
    }
  }

  /** From what was shown below `prefix` to `state`, which is what is to be shown there. */
  difference(prefix: string, state: readonly WatchEvent[], revision: number): readonly WatchEvent[] {
    const visible = new Set(state.map(({ object }) => (object as StoredObject).key))
    const gone = [...this.#keys].filter((key) => key.startsWith(prefix) && !visible.has(key))
    const come = state.filter(({ object }) => !this.#keys.has((object as StoredObject).key))
    return [...gone.map((key) => this.#withdrawn(key, revision)), ...come]
  }

  /** Its name alone: what is in it now may have come after the right to see it went. */
  #withdrawn(key: string, revision: number): WatchEvent {
    const path = key.slice(this.#type.storage.prefix.length).split('/')
    const object: KubeObject = {
      ...this.#type.zero,
      kind: this.#type.kind,
      apiVersion: formatGroupVersion(this.#type),
      metadata: {
        name: path.at(-1) as string,
        ...(path.length > 1 && { namespace: path[0] as string }),
        resourceVersion: String(revision),
      },
    }
    this.#keys.delete(key)
    return { type: 'DELETED', object: { object, json: Buffer.from(stringifyJson(object)) } }
  }
}
