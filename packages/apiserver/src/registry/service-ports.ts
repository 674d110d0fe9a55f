import { failure, field, type FieldError, indexPath, invalid, type KubeObject } from '@weft/api'
import { healthPortOf, nodePortsOf, takesNodePorts, takesPortsByItself, withKeptPorts, withNodePorts } from '../kinds/index.ts'
import { listAt, numberAt, textAt } from '../kinds/read.ts'
import type { Allocated, Allocation, AllocationContext } from './resource-type.ts'
import type { ObjectStore } from './store.ts'
import { TakenValues } from './taken-values.ts'

/** As in any cluster. Nothing listens there: this server has no nodes. */
const FIRST = 30_000
const LAST = 32_767

const pools = new WeakMap<ObjectStore, TakenValues<number>>()

function poolOf(store: ObjectStore): TakenValues<number> {
  let pool = pools.get(store)
  if (pool === undefined) pools.set(store, (pool = new TakenValues(store, nodePortsOf)))
  return pool
}

/** Ports on every node, each for one Service. */
export const servicePorts: Allocation = {
  begin(given, live, context): Allocated {
    const object = withKeptPorts(given, live)
    if (!takesNodePorts(object)) return { object, settle: () => void 0 }
    const giving = new Giving(object, live, context)
    try {
      const ports = listAt(object, 'spec', 'ports').map((port, i) => giving.port(port, i))
      return { object: withNodePorts(object, ports, giving.health()), settle: () => giving.settle() }
    } catch (error) {
      giving.settle()
      throw error
    }
  },
}

/** The ports of one write. */
class Giving {
  readonly #service: KubeObject
  readonly #pool: TakenValues<number>
  readonly #context: AllocationContext
  readonly #had: ReadonlySet<number>
  /** Given to this write, and what for: port and protocols of the Service. */
  readonly #given = new Map<number, { readonly port: number; readonly protocols: Set<string> }>()

  constructor(service: KubeObject, live: KubeObject | undefined, context: AllocationContext) {
    this.#service = service
    this.#context = context
    this.#pool = poolOf(context.store)
    this.#had = new Set(live === undefined ? [] : nodePortsOf(live))
  }

  port(port: unknown, index: number): number {
    const wanted = numberAt(port, 'nodePort') ?? 0
    const use = { port: numberAt(port, 'port') ?? 0, protocol: textAt(port, 'protocol') }
    if (wanted !== 0) return this.#take(wanted, use, `${indexPath('spec.ports', index)}.nodePort`)
    if (!takesPortsByItself(this.#service)) return 0
    // One port of a Service in two protocols is one port of a node.
    for (const [number, other] of this.#given)
      if (other.port === use.port && !other.protocols.has(use.protocol)) return this.#note(number, use)
    return this.#note(this.#free(), use)
  }

  health(): number | undefined {
    const wanted = healthPortOf(this.#service)
    if (wanted === undefined) return undefined
    const use = { port: -1, protocol: '' }
    return wanted === 0 ? this.#note(this.#free(), use) : this.#take(wanted, use, 'spec.healthCheckNodePort')
  }

  settle(): void {
    for (const number of this.#given.keys()) this.#pool.settle(number)
  }

  #take(number: number, use: Use, path: string): number {
    if (this.#had.has(number)) return number
    const given = this.#given.get(number)
    if (given !== undefined && !given.protocols.has(use.protocol)) return this.#note(number, use)
    if (given !== undefined) throw this.#refused([field.invalid(path, number, 'provided port is already allocated')])
    if (number < FIRST || number > LAST)
      throw this.#refused([
        field.invalid(path, number, `provided port is not in the valid range. The range of valid ports is ${FIRST}-${LAST}`),
      ])
    if (this.#pool.has(number)) throw this.#refused([field.invalid(path, number, 'provided port is already allocated')])
    return this.#note(number, use)
  }

  #note(number: number, { port, protocol }: Use): number {
    const known = this.#given.get(number)
    if (known === undefined) this.#given.set(number, { port, protocols: new Set([protocol]) })
    else known.protocols.add(protocol)
    if (!this.#context.dryRun) this.#pool.reserve(number)
    return number
  }

  /** From a random place on. */
  #free(): number {
    const count = LAST - FIRST + 1
    const start = Math.floor(this.#context.random() * count)
    for (let i = 0; i < count; i++) {
      const number = FIRST + ((start + i) % count)
      if (!this.#pool.has(number) && !this.#given.has(number) && !this.#had.has(number)) return number
    }
    const message = 'failed to allocate a nodePort: range is full'
    throw failure({ code: 500, reason: 'InternalError', message: `Internal error occurred: ${message}` })
  }

  #refused(errors: FieldError[]): Error {
    return invalid({ group: '', kind: 'Service', name: this.#service.metadata.name ?? '' }, errors)
  }
}

interface Use {
  readonly port: number
  readonly protocol: string
}
