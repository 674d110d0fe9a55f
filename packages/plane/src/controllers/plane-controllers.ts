import type { Clock, Random, RestMapper } from '@weft/client'
import {
  type ClaimControllersOptions,
  type DefinitionServices,
  type ManagedDefinitionOptions,
  type PackageServices,
  rbacController,
  startClaimControllers,
  startDefinitionControllers,
  startManagedDefinitionControllers,
  startPackageControllers,
  startOperationControllers,
  startUsageControllers,
  startXrdControllers,
  type XrdControllersOptions,
} from '@weft/controllers'
import type { Manager } from '@weft/runtime'
import type { Account } from '../accounts/account.ts'

/** What controllers work in: the world of a control plane, or the copy of it that a plan is made in. */
export interface PlaneWorld {
  /** The manager, for those that work as this account. Where there is only one account it is always the same. */
  as(account: Account): Manager
  readonly clock: Clock
  readonly random: Random
  readonly mapper: Pick<RestMapper, 'invalidate'>
  readonly managedKinds?: ManagedDefinitionOptions | undefined
  /** Who is asked in pipelines, and what they are shown. */
  readonly pipelines?: XrdControllersOptions | undefined
  readonly claims?: Pick<ClaimControllersOptions, 'jitterMs' | 'patienceMs' | 'passing'> | undefined
}

/** A world that lasts: packages are installed in it, and people come to work in it. */
export interface LastingWorld extends PlaneWorld {
  readonly packages: Pick<PackageServices, 'store' | 'runtime' | 'functions'>
}

export type Stop = () => Promise<void>

/**
 * One part of what reconciles. `start` resolves when its controllers are at work, or wanted while another process leads; it answers how to give back what
 * they hold besides, which is done before the manager stops. A part is at work in plans unless it says why not.
 */
type Part =
  | { readonly inPlans: true; start(world: PlaneWorld): Promise<Stop | void> }
  | { readonly inPlans: false; readonly why: string; start(world: LastingWorld): Promise<Stop | void> }

/**
 * The controllers of a control plane, in the order in which they start: all that there are, but for those of providers. Whoever assembles one, embedded, on
 * Kubernetes or for a plan, takes them from here.
 */
const PARTS: readonly Part[] = [
  {
    inPlans: false,
    why: 'roles let people use kinds; nobody works in the copy of a plan, and it tells what is made of what was written',
    start: async (world) => {
      const manager = world.as('rights')
      manager.add(rbacController(manager.informers))
    },
  },
  { inPlans: true, start: (world) => startManagedDefinitionControllers(definitionServices(world), world.managedKinds) },
  { inPlans: true, start: (world) => startDefinitionControllers(definitionServices(world)) },
  { inPlans: true, start: (world) => startXrdControllers(definitionServices(world), world.pipelines) },
  {
    inPlans: false,
    why: 'nothing is deleted in a plan that a usage would keep: what would be refused is asked of the real server',
    start: (world) => startUsageControllers(definitionServices(world)),
  },
  {
    inPlans: false,
    why: 'an operation is run once: what it does is done, and not to be tried out',
    start: (world) => startOperationControllers(definitionServices(world), modulesOf(world)),
  },
  {
    inPlans: true,
    start: async (world) => {
      const claims = startClaimControllers({ manager: world.as('claims'), clock: world.clock, random: world.random, ...world.claims })
      return () => claims.stop()
    },
  },
  {
    inPlans: false,
    why: 'what a package brings is known when it was fetched and its signature checked, which is not for a plan to do',
    start: (world) => startPackageControllers({ ...definitionServices(world, 'packages'), ...world.packages }),
  },
]

/** Starts all controllers of a control plane. Stops those that were started when a later one cannot be. */
export const startPlaneControllers = (world: LastingWorld): Promise<Stop> => startInTurn(PARTS.map((part) => () => part.start(world)))

/** Starts those that are at work in a plan. */
export const startPlanControllers = (world: PlaneWorld): Promise<Stop> =>
  startInTurn(PARTS.flatMap((part) => (part.inPlans ? [() => part.start(world)] : [])))

async function startInTurn(parts: readonly (() => Promise<Stop | void>)[]): Promise<Stop> {
  const stops: Stop[] = []
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    for (const start of parts) {
      const stop = await start()
      if (stop !== undefined) stops.push(stop)
    }
    return stopAll
  } catch (error) {
    await stopAll()
    throw error
  }
}

/** Operations and Compositions may ask the same ones. */
const modulesOf = ({ pipelines }: PlaneWorld): Pick<XrdControllersOptions, 'modules'> =>
  pipelines?.modules === undefined ? {} : { modules: pipelines.modules }

function definitionServices({ as, clock, random, mapper }: PlaneWorld, account: Account = 'composition'): DefinitionServices {
  const manager = as(account)
  const { client, informers, engine } = manager
  return { client, informers, engine, recorder: (component) => manager.recorder(component), clock, random, mapper }
}
