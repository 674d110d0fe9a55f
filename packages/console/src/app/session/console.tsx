import { useQuery, useQueryClient } from '@tanstack/react-query'
import { parseGroupVersion } from '@weft/api'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Session } from '../../contract.ts'
import { claimShaped, withClaims } from '../../kinds/claim-shaped.ts'
import { discover } from '../kinds/discover.ts'
import { type KindInfo, kindKey, type Role, roleOf } from '../../kinds/kind-info.ts'
import { watchedKinds } from '../kinds/watched.ts'
import { watchKinds } from '../live/watch-kinds.ts'
import { openWatchStream, type StreamState, type WatchStream } from '../live/watch-stream.ts'
import { createWorld, pacedSchedule, type World, type WorldSnapshot } from '../live/world.ts'
import type { Api } from '../api/api.ts'
import { accessQuestions, type AskAccess } from './access-questions.ts'

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
  /** Watches the kinds of these objects too, from now on. */
  readonly watchAlso: (objects: readonly KindOfObject[]) => void
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
  withRole(...roles: readonly Role[]): readonly KindInfo[]
}

const Context = createContext<ConsoleServices | undefined>(undefined)

export function useConsole(): ConsoleServices {
  const services = useContext(Context)
  if (services === undefined) throw new Error('useConsole needs a ConsoleProvider')
  return services
}

/** What is known of all watched kinds, now and whenever it changes. */
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
  const [namespace, setNamespace] = useState('')
  useEffect(() => {
    const stream = openWatchStream(api)
    const world = createWorld({ schedule: pacedSchedule() })
    const watches = watchKinds(api, stream, world)
    setServices({ stream, world, watches })
    return () => {
      watches.stop()
      stream.close()
    }
  }, [api])
  const kinds = useDiscovery(api, services?.world)
  const [also, watchAlso] = useAlsoWatched()
  useEffect(() => {
    services?.watches.want(watchedKinds(kinds.all, also), namespace)
  }, [services, kinds, namespace, also])
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
      },
    [session, api, services, kinds, namespace, signOut, askAccess, watchAlso],
  )
  return value === undefined ? null : <Context value={value}>{children}</Context>
}

/**
 * Kinds that pages ask for, such as the Deployments of an application. They stay watched when the page goes: it is often come back to.
 * Secrets are never among them.
 */
function useAlsoWatched(): readonly [ReadonlySet<string>, (objects: readonly KindOfObject[]) => void] {
  const [also, setAlso] = useState<ReadonlySet<string>>(new Set())
  const watchAlso = useCallback((objects: readonly KindOfObject[]) => {
    const wanted = new Set(objects.map(({ apiVersion, kind }) => kindKey({ group: parseGroupVersion(apiVersion).group, kind })))
    wanted.delete(SECRET)
    setAlso((before) => ([...wanted].every((key) => before.has(key)) ? before : new Set([...before, ...wanted])))
  }, [])
  return [also, watchAlso]
}

const SECRET = kindKey({ group: '', kind: 'Secret' })

/** Asks again whenever a CustomResourceDefinition comes, goes or becomes established. */
function useDiscovery(api: Api, world: World | undefined): Kinds {
  const client = useQueryClient()
  const { data, error, isSuccess } = useQuery({ queryKey: ['kinds'], queryFn: ({ signal }) => discover(api, signal) })
  const [claims, setClaims] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (world === undefined) return
    let seen: unknown
    return world.subscribe(() => {
      const definitions = world.snapshot().collections.get('CustomResourceDefinition.apiextensions.k8s.io')
      if (definitions?.loaded !== true || definitions.objects === seen) return
      const first = seen === undefined
      seen = definitions.objects
      const shaped = claimShaped(definitions.objects.values())
      setClaims((before) => (before.size === shaped.size && [...shaped].every((key) => before.has(key)) ? before : shaped))
      if (!first) void client.invalidateQueries({ queryKey: ['kinds'] })
    })
  }, [client, world])
  return useMemo(() => kindsFrom(withClaims(data ?? [], claims), isSuccess, error), [data, claims, isSuccess, error])
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
    withRole: (...roles) =>
      all.filter((kind) => {
        const role = roleOf(kind)
        return role !== undefined && roles.includes(role)
      }),
  }
}
