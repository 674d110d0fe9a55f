import { formatGroupKind, type KubeObject, matchesLabels, parseGroupVersion, requirementsOf } from '@weft/api'
import { type Disclosure, FUNCTION_ADDRESS, type XrdControllersOptions } from '@weft/controllers'
import { FunctionError, type FunctionRunner } from '@weft/functions'
import type { ProgramsAsked } from './plan.ts'
import type { World } from '../world/world.ts'

export interface PlanFunctionsOptions {
  readonly world: Pick<World, 'kinds' | 'more' | 'mayNotList'>
  readonly programs: ProgramsAsked
  /** Where a Function of the copy listens, if it is a program of its own. */
  readonly addressOf: (functionName: string) => Promise<string | undefined>
}

/** A plan is waited for: a function that takes longer is not known to it. */
const PATIENCE_MS = 10_000

const FUNCTIONS = { group: 'pkg.crossplane.io', kind: 'Function' }

/**
 * The functions of pipelines, as they are asked when a plan is made. They change nothing: what they answer is carried out in the copy. One that cannot be
 * asked is named, with the reason, and what it would compose is left as it is; nothing is guessed. Who does not answer is asked once in a plan.
 */
export const functionsInPlans = (options: PlanFunctionsOptions): XrdControllersOptions => ({
  functions: (installed) => new PlanFunctions(installed, options),
  disclosure: disclosureOf(options.world),
})

class PlanFunctions implements FunctionRunner {
  readonly #installed: FunctionRunner
  readonly #options: PlanFunctionsOptions
  readonly #silent = new Map<string, FunctionError>()

  constructor(installed: FunctionRunner, options: PlanFunctionsOptions) {
    this.#installed = installed
    this.#options = options
  }

  async run(...[name, request, options]: Parameters<FunctionRunner['run']>): ReturnType<FunctionRunner['run']> {
    const address = await this.#options.addressOf(name)
    const place = `${name} ${address ?? ''}`
    const silent = this.#silent.get(place)
    if (silent !== undefined) throw silent
    try {
      const why = this.#outOfReach(name, address)
      if (why !== undefined) throw new FunctionError('NotFound', why)
      return await this.#installed.run(name, request, { ...options, deadline: Date.now() + PATIENCE_MS })
    } catch (error) {
      if (!(error instanceof FunctionError) || error.code === 'Cancelled') throw error
      const told = new FunctionError(error.code, `${error.message} (this plan does not know what it makes)`, { cause: error })
      if (error.code === 'Unavailable' || error.code === 'DeadlineExceeded') this.#silent.set(place, told)
      throw told
    }
  }

  /** Why it cannot be asked from here. */
  #outOfReach(name: string, address: string | undefined): string | undefined {
    const { world, programs } = this.#options
    const denied = world.mayNotList(FUNCTIONS)
    if (denied !== undefined || programs === 'any' || address === undefined) return denied
    if (programs === 'none')
      return `Function ${name} is a program that listens on the machine of the control plane, and this is another: plan there`
    const installed = world.kinds
      .find(({ kind }) => formatGroupKind(kind) === formatGroupKind(FUNCTIONS))
      ?.objects.find(({ metadata }) => metadata.name === name)
    return installed?.metadata.annotations?.[FUNCTION_ADDRESS] === address
      ? undefined
      : `Function ${name} listens at another address than before: it is asked once the change is made`
  }
}

function disclosureOf(world: PlanFunctionsOptions['world']): Disclosure {
  return {
    async secret({ namespace, name }) {
      throw new Error(`plans never look into secrets, and this step is given Secret ${namespace}/${name}`)
    },
    async complete(selector, found) {
      const { apiVersion = '', kind = '', namespace, matchName: name, matchLabels } = selector
      const wanted = { group: parseGroupVersion(apiVersion).group, kind }
      if (wanted.group === '' && kind === 'Secret') throw new Error('plans never look into secrets, and this function asks to see some')
      const more = await world.more(wanted, { namespace: namespace || undefined, name, labels: matchLabels?.labels })
      if (more === undefined)
        throw new Error(`a function asks to see ${formatGroupKind(wanted)}, which you may not list: what it makes of them is not known`)
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
