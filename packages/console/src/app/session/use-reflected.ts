import type { KubeObject } from '@weft/api'
import { useEffect, useRef, useState } from 'react'
import { useConsole } from './console.tsx'
import type { CollectionState } from '../../world/world.ts'
import { reflect } from '../live/reflector.ts'
import { browserTiming } from '../live/watch-stream.ts'

export interface Reflected {
  readonly objects: readonly KubeObject[]
  readonly state: CollectionState
}

export interface ReflectedList {
  /** Below `/k8s`, with its selectors. */
  readonly path: string
  /** Path of the object, where the list is of that one alone: some may get what they may not watch. */
  readonly object?: string
  readonly apiVersion: string
  readonly kind: string
}

const BEGINNING: Reflected = { objects: [], state: { phase: 'listing' } }

/** A small list of its own, live while the component is there: events of an object, an object of a kind that is not watched as a whole. */
export function useReflected(list: ReflectedList | undefined): Reflected {
  const [reflected = BEGINNING] = useReflectedLists(list === undefined ? [] : [list])
  return reflected
}

/** Several such lists, each for as long as it is asked for; in the order of `lists`. */
export function useReflectedLists(lists: readonly ReflectedList[]): readonly Reflected[] {
  const { api, stream } = useConsole()
  const [byPath, setByPath] = useState<ReadonlyMap<string, Reflected>>(new Map())
  const running = useRef(new Map<string, AbortController>())
  const wanted = lists.map(({ path }) => path).join('\n')
  useEffect(() => {
    const paths = new Set(lists.map(({ path }) => path))
    for (const [path, stop] of running.current)
      if (!paths.has(path)) {
        stop.abort()
        running.current.delete(path)
        setByPath((before) => new Map([...before].filter(([each]) => each !== path)))
      }
    for (const list of lists) {
      if (running.current.has(list.path)) continue
      const stop = new AbortController()
      running.current.set(list.path, stop)
      const show = (reflected: Reflected): void => {
        if (!stop.signal.aborted) setByPath((before) => new Map(before).set(list.path, reflected))
      }
      void reflect(listSink(show), { api, stream, timing: browserTiming, ...list, signal: stop.signal })
    }
    // The paths stand for the lists.
  }, [api, stream, wanted])
  useEffect(() => {
    const watches = running.current
    return () => {
      for (const stop of watches.values()) stop.abort()
      watches.clear()
    }
  }, [api, stream])
  return lists.map(({ path }) => byPath.get(path) ?? BEGINNING)
}

function listSink(show: (reflected: Reflected) => void): Parameters<typeof reflect>[0] {
  const byUid = new Map<string, KubeObject>()
  let state: CollectionState = { phase: 'listing' }
  const changed = (): void => show({ objects: [...byUid.values()], state })
  const idOf = ({ metadata }: KubeObject): string => metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
  return {
    replace: (objects) => {
      byUid.clear()
      for (const object of objects) byUid.set(idOf(object), object)
      changed()
    },
    put: (object) => (byUid.set(idOf(object), object), changed()),
    remove: (object) => (byUid.delete(idOf(object)), changed()),
    become: (next) => ((state = next), changed()),
  }
}
