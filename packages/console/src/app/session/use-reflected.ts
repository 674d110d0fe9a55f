import type { KubeObject } from '@weft/api'
import { useEffect, useState } from 'react'
import { useConsole } from './console.tsx'
import { reflect, type ReflectorState } from '../live/reflector.ts'
import { browserTiming } from '../live/watch-stream.ts'

export interface Reflected {
  readonly objects: readonly KubeObject[]
  readonly state: ReflectorState
}

export interface ReflectedList {
  /** Below `/k8s`, with its selectors. */
  readonly path: string
  readonly apiVersion: string
  readonly kind: string
}

const BEGINNING: Reflected = { objects: [], state: { phase: 'listing' } }

/** A small list of its own, live while the component is there: events of an object, an object of a kind that is not watched as a whole. */
export function useReflected(list: ReflectedList | undefined): Reflected {
  const { api, stream } = useConsole()
  const [reflected, setReflected] = useState(BEGINNING)
  const { path, apiVersion, kind } = list ?? {}
  useEffect(() => {
    setReflected(BEGINNING)
    if (path === undefined || apiVersion === undefined || kind === undefined) return
    const stop = new AbortController()
    const byUid = new Map<string, KubeObject>()
    let state: ReflectorState = { phase: 'listing' }
    const show = (): void => setReflected({ objects: [...byUid.values()], state })
    const idOf = ({ metadata }: KubeObject): string => metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
    const sink = {
      replace: (objects: readonly KubeObject[]) => {
        byUid.clear()
        for (const object of objects) byUid.set(idOf(object), object)
        show()
      },
      put: (object: KubeObject) => (byUid.set(idOf(object), object), show()),
      remove: (object: KubeObject) => (byUid.delete(idOf(object)), show()),
      become: (next: ReflectorState) => ((state = next), show()),
    }
    void reflect(sink, { api, stream, timing: browserTiming, path, apiVersion, kind, signal: stop.signal })
    return () => stop.abort()
  }, [api, stream, path, apiVersion, kind])
  return reflected
}
