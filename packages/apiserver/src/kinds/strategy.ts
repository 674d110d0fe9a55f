import { type FieldError, type KubeObject, isDns1123Subdomain, withMeta } from '@weft/api'

/** What a strategy may know of the request. Strategies have no clock of their own. */
export interface StrategyContext {
  readonly now: number
  readonly user?: {
    readonly username: string
    readonly uid?: string
    readonly groups?: readonly string[]
    readonly extra?: Readonly<Record<string, readonly string[]>>
  }
}

/** What is wrong with a name; empty when nothing is. */
export type NameRule = (name: string) => readonly string[]

/**
 * What is particular to one kind when it is written. Pure functions; the generic registry calls them in this order and
 * checks metadata (names, labels, owners, finalizers) itself:
 *
 *   create:  default → (name is generated) → prepareForCreate → validate
 *   update:  default → prepareForUpdate → validateUpdate
 *
 * Inputs are never changed; a function that has nothing to do answers its input.
 */
export interface Strategy {
  readonly nameRule: NameRule
  /** Fills in what the client left out. Also runs on what is read from storage and on the result of a patch. */
  default(object: KubeObject): KubeObject
  /** Removes what clients must not set and adds what only the server sets. */
  prepareForCreate(object: KubeObject, context: StrategyContext): KubeObject
  prepareForUpdate(next: KubeObject, old: KubeObject, context: StrategyContext): KubeObject
  validate(object: KubeObject): readonly FieldError[]
  /** Everything that is wrong with the update, including what `validate` says of `next`. */
  validateUpdate(next: KubeObject, old: KubeObject): readonly FieldError[]
  /** Texts for Warning headers. */
  warnings(next: KubeObject, old?: KubeObject): readonly string[]
  /** Fields that this endpoint never lets a client own, as dotted paths; server-side apply leaves them out of managedFields. */
  readonly resetFields: readonly string[]
  /** Whether PUT creates what does not exist. */
  readonly createOnUpdate: boolean
  /** Whether PUT may come without resourceVersion. */
  readonly unconditionalUpdate: boolean
}

const same = (object: KubeObject): KubeObject => object
const nothing = (): readonly never[] => []

/** A strategy with what is given, and nothing to do elsewhere. `validateUpdate` falls back on `validate`. */
export function strategy(given: Partial<Strategy> = {}): Strategy {
  const validate = given.validate ?? nothing
  return {
    nameRule: isDns1123Subdomain,
    default: same,
    prepareForCreate: same,
    prepareForUpdate: same,
    validate,
    validateUpdate: (next) => validate(next),
    warnings: nothing,
    resetFields: [],
    createOnUpdate: false,
    unconditionalUpdate: true,
    ...given,
  }
}

/** For kinds with a status subresource: the main endpoint clears status on create and keeps the stored one on update. */
export function keepsStatus(given: Partial<Strategy> = {}): Strategy {
  const base = strategy(given)
  return {
    ...base,
    resetFields: ['status', ...base.resetFields],
    prepareForCreate: (object, context) => base.prepareForCreate(withField(object, 'status', {}), context),
    prepareForUpdate: (next, old, context) => base.prepareForUpdate(withField(next, 'status', old['status']), old, context),
  }
}

/**
 * The status endpoint: the spec is what is stored. Where `resetFields` names metadata, so is what users put there
 * (labels, annotations, finalizers, owners); some kinds let the status endpoint change that, for history's sake.
 */
export function statusOnly(main: Strategy, given: Partial<Strategy> = {}): Strategy {
  const keepsMetadata = given.resetFields?.includes('metadata') === true
  return {
    ...strategy({ nameRule: main.nameRule, default: (object) => main.default(object), unconditionalUpdate: main.unconditionalUpdate }),
    resetFields: ['spec'],
    prepareForUpdate: (next, old) => {
      const prepared = withField(next, 'spec', old['spec'])
      if (!keepsMetadata) return prepared
      const { labels, annotations, finalizers, ownerReferences, deletionTimestamp, generation } = old.metadata
      return withMeta(prepared, { labels, annotations, finalizers, ownerReferences, deletionTimestamp, generation })
    },
    validateUpdate: nothing,
    ...given,
  }
}

/** A copy with one top-level field replaced, or removed when undefined. The same object when nothing changes. */
export function withField(object: KubeObject, name: string, value: unknown): KubeObject {
  if (object[name] === value) return object
  if (value !== undefined) return { ...object, [name]: value }
  const { [name]: _removed, ...rest } = object
  return rest as KubeObject
}
