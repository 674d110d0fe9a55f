import type { FieldError, KubeObject } from '@weft/api'
import { scale } from '../autoscaling/messages.ts'
import { type Column, ageColumn, nameColumn } from '../column.ts'
import { type BuiltinKind, builtin, part, type ScaleFields, type Subresource } from '../kind.ts'
import type { Message } from '../message.ts'
import { type Strategy, keepsStatus, statusOnly, strategy, withField } from '../strategy.ts'
import { tableMessage } from '../tables/index.ts'
import { conform } from '../typed-json.ts'
import { fillings } from './defaults.ts'

/** A kind that is kept and shown like any other, and that nothing here acts on. */
interface Stored {
  readonly group: string
  readonly version?: string
  readonly kind: string
  readonly plural: string
  readonly namespaced?: boolean
  readonly shortNames?: readonly string[]
  /** Listed by `kubectl get all`. */
  readonly inAll?: boolean
  /** Between the name and the age. */
  readonly columns?: readonly Column[]
  /** After the age: of wide tables, mostly. */
  readonly wide?: readonly Column[]
  readonly hasStatus?: boolean
  /** Whoever creates it writes its first status. */
  readonly keepsFirstStatus?: boolean
  readonly scale?: ScaleFields
  /** Changes of the spec, or of other fields, are counted. */
  readonly counted?: boolean | readonly string[]
  readonly strategy?: Partial<Strategy>
  /** What is wrong with a status. */
  readonly statusErrors?: (next: KubeObject, old: KubeObject) => readonly FieldError[]
  readonly selectableFields?: BuiltinKind['selectableFields']
  readonly storedAs?: BuiltinKind['storedAs']
  readonly parts?: (message: Message, main: Strategy) => readonly Subresource[]
}

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

export function stored(given: Stored): BuiltinKind {
  const { group, version = 'v1', kind, plural, namespaced = true, hasStatus = false } = given
  const message = tableMessage(`io.k8s.api.${group === '' ? 'core' : (group.split('.')[0] ?? '')}.${version}.${kind}`)
  const main = mainStrategy(message, given)
  return builtin({
    group,
    version,
    kind,
    plural,
    namespaced,
    shortNames: given.shortNames ?? [],
    categories: given.inAll === true ? ['all'] : [],
    message,
    columns: [nameColumn, ...(given.columns ?? []), ageColumn, ...(given.wide ?? [])],
    selectableFields: given.selectableFields ?? {},
    strategy: main,
    ...(given.storedAs && { storedAs: given.storedAs }),
    generation: typeof given.counted === 'object' ? given.counted : given.counted === true ? ['spec'] : [],
    subresources: [
      ...(hasStatus ? [part('status', message, statusOnly(main, given.statusErrors && { validateUpdate: given.statusErrors }))] : []),
      ...(given.scale === undefined ? [] : [{ ...part('scale', scale, main), kind: SCALE, scale: given.scale }]),
      ...(given.parts?.(message, main) ?? []),
    ],
  })
}

function mainStrategy(message: Message, { hasStatus = false, keepsFirstStatus = false, strategy: given = {} }: Stored): Strategy {
  const filled = (object: KubeObject): KubeObject => fillings.fill(message, object)
  const whole = { ...given, default: filled }
  if (!hasStatus) return strategy(whole)
  if (keepsFirstStatus) return { ...keepsStatus(whole), prepareForCreate: strategy(whole).prepareForCreate }
  let zero: unknown
  // Of a status that nobody has written, what Go always writes.
  const fresh = (): unknown => (zero ??= filled(conform(message, { metadata: {} }).object as unknown as KubeObject)['status'])
  return keepsStatus({
    ...whole,
    prepareForCreate: (object, context) => {
      const empty = withField(object, 'status', fresh())
      return given.prepareForCreate?.(empty, context) ?? empty
    },
  })
}
