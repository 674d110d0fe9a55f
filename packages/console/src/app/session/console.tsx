import { parseGroupVersion } from '@weft/api'
import { traceKey, type TraceRef } from '@weft/composition'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { KindsFeed, Session } from '../../contract.ts'
import { type KindInfo, kindKey } from '../../kinds/kind-info.ts'
import { watchKinds, type WatchWish } from '../live/watch-kinds.ts'
import { openWatchStream, type StreamState, type WatchStream } from '../live/watch-stream.ts'
import { type WorldSnapshot } from '../../world/world.ts'
import { createWorld, pacedSchedule, type World } from '../live/world.ts'
import type { Api } from '../api/api.ts'
import { accessQuestions, type AskAccess } from './access-questions.ts'
import { useFeedOver } from './use-feed.ts'

/** What every page of a signed-in user can use. */
export interface ConsoleServices {
  readonly session: Session
  readonly api: Api
  readonly stream: WatchStream
  readonly world: World
  readonly kinds: Kinds
  /** Where namespaced kinds are watched; empty: everywhere. */
  readonly namespace: string
  readonly setNamespace: (namespace: string) => void
  readonly signOut: () => void
  readonly askAccess: AskAccess
  /** Watches all objects of these kinds, from now on: it is often come back to them. Never Secrets. */
  readonly watchAlso: (kinds: readonly KindOfObject[]) => void
  /** Watches these objects, from now on; or all of their kind where they are many. Never Secrets. */
  readonly watchObjects: (objects: readonly TraceRef[]) => void
}

interface KindOfObject {
  readonly apiVersion: string
  readonly kind: string
}

/** The kinds that the server serves. */
export interface Kinds {
  readonly all: readonly KindInfo[]
  readonly loaded: boolean
  readonly problem: Error | null
  byPlural(group: string, plural: string): KindInfo | undefined
  byKind(group: string, kind: string): KindInfo | undefined
}

const Context = createContext<ConsoleServices | undefined>(undefined)

export function useConsole(): ConsoleServices {
  const services = useContext(Context)
  if (services === undefined) throw new Error('useConsole needs a ConsoleProvider')
  return services
}

/** What is known of what pages have asked for, now and whenever it changes. */
export function useWorld(): WorldSnapshot {
  const { world } = useConsole()
  return useSyncExternalStore(world.subscribe, world.snapshot)
}

export function useStreamState(): StreamState {
  const { stream } = useConsole()
  return useSyncExternalStore(stream.subscribe, stream.state)
}

export interface ConsoleProviderProps {
  readonly session: Session
  readonly api: Api
  readonly signOut: () => void
  readonly children: ReactNode
}

/** One of each service for as long as the user is signed in. */
export function ConsoleProvider({ session, api, signOut, children }: ConsoleProviderProps): ReactNode {
  const [services, setServices] = useState<
    Pick<ConsoleServices, 'stream' | 'world'> & { readonly watches: ReturnType<typeof watchKinds> }
  >()
  const [namespace, setNamespace] = useState(session.namespace ?? '')
  useEffect(() => {
    const stream = openWatchStream(api)
    const world = createWorld({ schedule: pacedSchedule() })
    const watches = watchKinds({ api, stream, world })
    setServices({ stream, world, watches })
    return () => {
      watches.stop()
      stream.close()
    }
  }, [api])
  const kinds = useKinds(services?.stream)
  const { wanted, watchAlso, watchObjects } = useWanted()
  useEffect(() => {
    services?.watches.want(wishOf(kinds, wanted), namespace)
  }, [services, kinds, namespace, wanted])
  const askAccess = useMemo(() => accessQuestions(api), [api])
  const value = useMemo(
    () =>
      services && {
        session,
        api,
        stream: services.stream,
        world: services.world,
        kinds,
        namespace,
        setNamespace,
        signOut,
        askAccess,
        watchAlso,
        watchObjects,
      },
    [session, api, services, kinds, namespace, signOut, askAccess, watchAlso, watchObjects],
  )
  return value === undefined ? null : <Context value={value}>{children}</Context>
}

/** What pages have asked for: kinds by kindKey, and objects by what names them. */
interface Wanted {
  readonly kinds: ReadonlySet<string>
  readonly objects: ReadonlyMap<string, TraceRef>
}

function useWanted(): { readonly wanted: Wanted } & Pick<ConsoleServices, 'watchAlso' | 'watchObjects'> {
  const [wanted, setWanted] = useState<Wanted>({ kinds: new Set(), objects: new Map() })
  const watchAlso = useCallback((more: readonly KindOfObject[]) => {
    const keys = more.map(keyOf).filter((key) => key !== SECRET)
    setWanted((before) => (keys.every((key) => before.kinds.has(key)) ? before : { ...before, kinds: new Set([...before.kinds, ...keys]) }))
  }, [])
  const watchObjects = useCallback((more: readonly TraceRef[]) => {
    const refs = more.filter((ref) => keyOf(ref) !== SECRET).map((ref) => [traceKey(ref), ref] as const)
    setWanted((before) =>
      refs.every(([key]) => before.objects.has(key)) ? before : { ...before, objects: new Map([...before.objects, ...refs]) },
    )
  }, [])
  return { wanted, watchAlso, watchObjects }
}

const keyOf = ({ apiVersion, kind }: KindOfObject): string => kindKey({ group: parseGroupVersion(apiVersion).group, kind })

const SECRET = kindKey({ group: '', kind: 'Secret' })
/** Of one kind; more than that are all of it. Each is a watch of its own. */
const MOST_OBJECTS = 16
/** Of one kind of which the user may not see all: these are asked for one after the other. */
const MOST_LOOKED = 500

/** What of the wanted the server serves. */
function wishOf(kinds: Kinds, wanted: Wanted): WatchWish {
  const byKind = new Map<string, TraceRef[]>()
  for (const ref of wanted.objects.values()) byKind.set(keyOf(ref), [...(byKind.get(keyOf(ref)) ?? []), ref])
  const isWhole = (key: string): boolean => wanted.kinds.has(key) || (byKind.get(key)?.length ?? 0) > MOST_OBJECTS
  const watched = kinds.all.filter(({ verbs }) => verbs.includes('watch'))
  return {
    kinds: watched.filter((kind) => isWhole(kindKey(kind))),
    objects: watched.flatMap((kind) => {
      const refs = byKind.get(kindKey(kind)) ?? []
      return refs.slice(0, MOST_LOOKED).map(({ namespace, name }) => ({ kind, namespace, name }))
    }),
  }
}

/** The kinds, as the console's server tells them. */
function useKinds(stream: WatchStream | undefined): Kinds {
  const { value, problem } = useFeedOver<KindsFeed>(stream, '/console/kinds')
  const why = value?.problem ?? problem
  // An update that failed leaves the kinds as they were.
  const all = value?.kinds
  return useMemo(
    () => kindsFrom(all ?? [], all !== undefined && (all.length > 0 || why === undefined), why === undefined ? null : new Error(why)),
    [all, why],
  )
}

function kindsFrom(all: readonly KindInfo[], loaded: boolean, problem: Error | null): Kinds {
  const byPlural = new Map(all.map((kind) => [`${kind.group}/${kind.plural}`, kind]))
  const byKind = new Map(all.map((kind) => [kindKey(kind), kind]))
  return {
    all,
    loaded,
    problem,
    byPlural: (group, plural) => byPlural.get(`${group}/${plural}`),
    byKind: (group, kind) => byKind.get(kindKey({ group, kind })),
  }
}
