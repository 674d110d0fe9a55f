import {
  bindValue,
  CelCostExceeded,
  CelRuntimeError,
  compile,
  DYN,
  Environment,
  KUBERNETES_LIBRARIES,
  PER_CALL_LIMIT,
  type Program,
} from '@weft/cel'
import type { KubeObject } from '@weft/api'

const ENVIRONMENT = new Environment({ libraries: KUBERNETES_LIBRARIES, variables: { object: DYN } })
/** Compiled queries kept; a control plane has few different ones. */
const MAX_KEPT = 256
const MAX_LENGTH = 16 * 1024

type Compiled = Program | string
const kept = new Map<string, Compiled>()

export interface QueryAnswer {
  readonly ready: boolean
  /** Why not, where that is the query's own fault. Never holds a value of the object. */
  readonly message?: string
}

/** Does the query hold for the object? What cannot be answered is not ready, and says so. Bounded in what it may cost. */
export function askQuery(query: string, object: KubeObject): QueryAnswer {
  const program = compiled(query)
  if (typeof program === 'string') return { ready: false, message: program }
  try {
    const { value } = program.evaluate({ object: bindValue(object) }, { budget: PER_CALL_LIMIT })
    if (typeof value !== 'boolean') return { ready: false, message: 'spec.readiness.celQuery must answer true or false' }
    return { ready: value }
  } catch (error) {
    if (error instanceof CelCostExceeded) return { ready: false, message: 'spec.readiness.celQuery takes too long: simplify it' }
    if (error instanceof CelRuntimeError) return { ready: false, message: `spec.readiness.celQuery cannot be answered: ${error.message}` }
    throw error
  }
}

function compiled(query: string): Compiled {
  let program = kept.get(query)
  if (program === undefined) {
    program = compileQuery(query)
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value ?? '')
    kept.set(query, program)
  }
  return program
}

function compileQuery(query: string): Compiled {
  if (query === '') return 'spec.readiness.celQuery must be set when the policy is DeriveFromCelQuery'
  if (query.length > MAX_LENGTH) return 'spec.readiness.celQuery is too long'
  const { program, message } = compile(query, ENVIRONMENT)
  if (program === undefined) return `spec.readiness.celQuery is not an expression: ${message}`
  const { kind } = program.outputType
  return kind === 'bool' || kind === 'dyn' ? program : 'spec.readiness.celQuery must answer true or false'
}
