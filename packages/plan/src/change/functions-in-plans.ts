import { deepEqual, formatGroupKind, type KubeObject, matchesLabels, parseGroupVersion, requirementsOf } from '@weft/api'
import { isOfKind } from '@weft/client'
import { type Disclosure, FUNCTION_ADDRESS, functionKind, type PackageObject, type XrdControllersOptions } from '@weft/controllers'
import { builtInFunction, FunctionError, type FunctionRunner } from '@weft/functions'
import type { ProgramsAsked } from './plan.ts'
import type { World } from '../world/world.ts'

export interface PlanFunctionsOptions {
  readonly world: Pick<World, 'kinds' | 'more' | 'mayNotList'>
  readonly programs: ProgramsAsked
  /** The Function of that name in the copy. */
  readonly find: (functionName: string) => Promise<PackageObject | undefined>
  /** Asks those that are installed in the control plane, which runs them. */
  readonly controlPlane: FunctionRunner
}

/** A plan is waited for: a function that takes longer is not known to it. */
const PATIENCE_MS = 10_000

/**
 * The functions of pipelines, as they are asked when a plan is made. They change nothing: what they answer is carried out in the copy. Those that are built in
 * answer here; programs and modules are asked by the control plane that runs them. One that cannot be asked is named, with the reason, and what
 * it would compose is left as it is; nothing is guessed. Who does not answer is asked once in a plan.
 */
export const functionsInPlans = (options: PlanFunctionsOptions): XrdControllersOptions => ({
  functions: (here) => new PlanFunctions(here, options),
  disclosure: disclosureOf(options.world),
})

class PlanFunctions implements FunctionRunner {
  readonly #here: FunctionRunner
  readonly #options: PlanFunctionsOptions
  readonly #silent = new Map<string, FunctionError>()

  constructor(here: FunctionRunner, options: PlanFunctionsOptions) {
    this.#here = here
    this.#options = options
  }

  async run(...[name, request, options]: Parameters<FunctionRunner['run']>): ReturnType<FunctionRunner['run']> {
    const wanted = await this.#options.find(name)
    const place = `${name} ${wanted?.spec.package ?? ''} ${addressOf(wanted) ?? ''}`
    const silent = this.#silent.get(place)
    if (silent !== undefined) throw silent
    try {
      const runner = this.#runnerOf(name, wanted)
      if (typeof runner === 'string') throw new FunctionError('NotFound', runner)
      return await runner.run(name, request, { ...options, deadline: Date.now() + PATIENCE_MS })
    } catch (error) {
      if (!(error instanceof FunctionError) || error.code === 'Cancelled') throw error
      const told = new FunctionError(error.code, `${error.message} (this plan does not know what it would create)`, { cause: error })
      if (error.code === 'Unavailable' || error.code === 'DeadlineExceeded') this.#silent.set(place, told)
      throw told
    }
  }

  /** Who asks it, or why nobody does. */
  #runnerOf(name: string, wanted: PackageObject | undefined): FunctionRunner | string {
    const { world, programs, controlPlane } = this.#options
    const denied = world.mayNotList(functionKind)
    if (denied !== undefined) return denied
    const address = addressOf(wanted)
    if (address === undefined && wanted !== undefined && builtInFunction(wanted.spec.package) !== undefined) return this.#here
    // Whoever plans may open connections from this machine anyway.
    if (address !== undefined && programs === 'any') return this.#here
    const installed = world.kinds
      .find(({ kind }) => formatGroupKind(kind) === formatGroupKind(functionKind))
      ?.objects.filter((object) => isOfKind(functionKind, object))
      .find(({ metadata }) => metadata.name === name)
    const isAsBefore = deepEqual(installed?.spec, wanted?.spec) && addressOf(installed) === address
    return isAsBefore ? controlPlane : `Function ${name} is changed as well: it is called once the change is applied`
  }
}

/** Where a program under development listens that is a Function. */
const addressOf = (fn: PackageObject | undefined): string | undefined => fn?.metadata.annotations?.[FUNCTION_ADDRESS]

function disclosureOf(world: PlanFunctionsOptions['world']): Disclosure {
  return {
    async secret({ namespace, name }) {
      throw new Error(`plans never look into secrets, and this step is given Secret ${namespace}/${name}`)
    },
    async complete(selector, found) {
      const { apiVersion = '', kind = '', namespace, matchName: name, matchLabels } = selector
      const wanted = { group: parseGroupVersion(apiVersion).group, kind }
      if (wanted.group === '' && kind === 'Secret') throw new Error('plans never look into secrets, and this function requests some')
      const more = await world.more(wanted, { namespace: namespace || undefined, name, labels: matchLabels?.labels })
      if (more === undefined)
        throw new Error(`a function requests ${formatGroupKind(wanted)}, which you may not list: what it makes of them is not known`)
      const known = new Set(found.map(({ metadata }) => metadata.uid))
      return [...found, ...more.filter((object) => !known.has(object.metadata.uid) && isMatch(object, selector))]
    },
  }
}

function isMatch({ metadata }: KubeObject, { matchName, matchLabels, namespace }: Parameters<Disclosure['complete']>[0]): boolean {
  if (namespace && metadata.namespace !== namespace) return false
  return matchName === undefined
    ? matchesLabels(requirementsOf({ matchLabels: { ...matchLabels?.labels } }), metadata.labels)
    : metadata.name === matchName
}
