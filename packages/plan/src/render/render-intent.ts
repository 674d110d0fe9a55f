import { getOwn, type GroupKind, gvkOf, isJsonObject, type KubeObject, parseGroupVersion, specOf, withMeta } from '@weft/api'
import { definitionSchema, intentNamePrefix } from '@weft/composition'
import {
  BindingError,
  bindTo,
  CompositeError,
  INFRASTRUCTURE,
  provisionComposite,
  resourceOf,
  sentBy,
  settingsOf,
  withResource,
} from '@weft/controllers'
import { KnownObjects, type KnownObjectsOptions } from '../known/known-objects.ts'
import { addObject } from './add-object.ts'
import { machineryOrigins } from './machinery-origins.ts'
import { originsOf } from './origins.ts'
import { contentRandom, withPlaceholderUid } from './placeholders.ts'
import { renderClaim } from './render-claim.ts'
import { type CompositeKind, compositeKindOf, composeMembers, nameMembers, type RenderNested } from './render-composite.ts'
import { type Draft, RenderError, type Rendering } from './rendering.ts'

/** What kind of intent an object is, as far as what is known tells. */
export type IntentType = 'claim' | 'requirement' | 'composite'

/** Renders what would be made for intents, from files alone. */
export class Renderer {
  readonly #known: KnownObjects

  constructor(given: readonly KubeObject[], options: KnownObjectsOptions = {}) {
    this.#known = new KnownObjects(given, options)
  }

  /** The objects that something would be made for. */
  intents(): readonly KubeObject[] {
    return this.#known.given.filter((object) => this.intentType(object) !== undefined)
  }

  intentType(object: KubeObject): IntentType | undefined {
    return intentTypeOf(this.#draft(), object)
  }

  /** The objects that would be made for one intent. Rejects with RenderError when nothing can be. */
  async render(intent: KubeObject): Promise<Rendering> {
    const draft = this.#draft()
    try {
      const finished = await renderAny(draft, prepare(draft, intent))
      if (finished === undefined)
        throw new RenderError(
          `${intent.kind} ${intent.metadata.name ?? ''} is not a claim, requirement, composite or application that the files define: add its class, its definition or its Composition`,
        )
      return { objects: draft.objects, intent: finished, notes: [...draft.notes] }
    } catch (error) {
      if (error instanceof BindingError || error instanceof CompositeError)
        throw new RenderError(`${intent.kind} ${intent.metadata.name ?? ''}: ${error.message}`, { cause: error })
      throw error
    }
  }

  #draft(): Draft {
    return { known: this.#known, objects: [], notes: new Set(), ancestors: [] }
  }
}

function intentTypeOf(draft: Draft, object: KubeObject): IntentType | undefined {
  const kind: GroupKind = gvkOf(object)
  if (draft.known.kinds.required(kind) !== undefined) return 'requirement'
  if (draft.known.kinds.composite(kind) !== undefined) return 'composite'
  const { claims } = draft.known.table(kind)
  if (claims.some((claim) => claim.group === kind.group && claim.kind === kind.kind)) return 'claim'
  return compositeKindOf(draft, object) === undefined ? undefined : 'composite'
}

async function renderAny(draft: Draft, intent: KubeObject): Promise<KubeObject | undefined> {
  switch (intentTypeOf(draft, intent)) {
    case 'claim':
      return renderClaim(draft, intent)
    case 'requirement':
      return renderRequirement(draft, intent)
    case 'composite':
      return renderComposite(draft, intent)
    default:
      return undefined
  }
}

const nested: RenderNested = async (draft, member) => {
  await renderAny(draft, prepare(draft, member))
}

async function renderComposite(draft: Draft, composite: KubeObject): Promise<KubeObject> {
  const kind = compositeKindOf(draft, composite)
  if (kind === undefined) return composite
  const named = await nameMembers(draft, composite, kind)
  if (named === undefined) return composite
  // A composite inside another is in the rendering already, without the names of its own members.
  replace(draft, composite, named.composite)
  return composeMembers(draft, named, kind, nested)
}

function replace(draft: Draft, before: KubeObject, after: KubeObject): void {
  const { name, namespace } = before.metadata
  const i = draft.objects.findIndex(
    ({ object }) => object.kind === before.kind && object.metadata.name === name && object.metadata.namespace === namespace,
  )
  const found = draft.objects[i]
  if (found === undefined) return
  const { annotations } = after.metadata
  const object: KubeObject = {
    ...(annotations === undefined ? found.object : withMeta(found.object, { annotations })),
    ...(after['spec'] !== undefined && { spec: after['spec'] }),
  }
  const known = new Map(found.origins.map((origin) => [origin.path, origin]))
  const machinery = { spec: 'Weft: how it is composed' }
  draft.objects[i] = {
    object,
    origins: originsOf(object, { rendered: object, machinery }).map((origin) => known.get(origin.path) ?? origin),
  }
}

/** C30: a composite named after the requirement, and what that is composed of. */
async function renderRequirement(draft: Draft, given: KubeObject): Promise<KubeObject> {
  const required = draft.known.kinds.required(gvkOf(given))
  if (required === undefined) return given
  const { definition, publication } = required
  const { group, version, names } = definition.spec.crdSpecTemplate
  const kind = { group, version, kind: names.kind, plural: names.plural, namespaced: false }
  if (publication === undefined)
    draft.notes.add(`${names.kind} is not published by the files: on a server it needs an InfrastructurePublication`)
  const requirement = withResource(given, kind, { kept: undefined, random: contentRandom(`${intentNamePrefix(given)}\ncomposite`) })
  // One that an application is composed of is in the rendering already, without the name of its composite.
  replace(draft, given, requirement)
  const name = resourceOf(requirement, kind)
  if (name === undefined) return requirement
  const observed = draft.known.observed(kind, name)
  if (observed === undefined && resourceOf(given, kind) !== undefined) {
    draft.notes.add(
      `${given.kind} ${given.metadata.name ?? ''} names a resource itself (resourceRef): it is bound to that, and nothing is created`,
    )
    return requirement
  }
  const schema = definitionSchema(definition.spec.crdSpecTemplate.validation?.openAPIV3Schema).spec
  const bare =
    observed === undefined
      ? provisionComposite(requirement, kind, name)
      : bindTo(observed, requirement, sentBy(requirement, observed, schema))
  const settled = withPlaceholderUid(draft.known.kinds.settle(bare).object)
  const composing: CompositeKind = { type: INFRASTRUCTURE, settings: settingsOf(definition) }
  const named = await nameMembers(draft, settled, composing)
  // Both report on themselves: that a condition is alike does not mean that it was handed on.
  const { status: _, ...sent } = given
  addObject(draft, withMeta(named?.composite ?? settled, { uid: bare.metadata.uid }), {
    base: { object: sent, from: `${given.kind} ${given.metadata.name ?? ''}` },
    machinery: machineryOrigins({ labels: bare.metadata.labels ?? {}, fields: { 'spec.infrastructure': 'Weft: how it is composed' } }),
  })
  if (named !== undefined) await composeMembers(draft, named, composing, nested)
  return requirement
}

/** The intent as the server would have it before anybody acts on it: in a namespace, with defaults and a uid, and with what was observed of it. */
function prepare(draft: Draft, intent: KubeObject): KubeObject {
  const kind: GroupKind = gvkOf(intent)
  const namespaced =
    draft.known.kinds.isNamespaced(kind) ?? (intentTypeOf(draft, intent) === 'claim' || intent.metadata.namespace !== undefined)
  const { namespace = 'default' } = intent.metadata
  const placed = withMeta(intent, { namespace: namespaced ? namespace : undefined })
  const observed = draft.known.observed(kind, intent.metadata.name, placed.metadata.namespace)
  const merged = observed === undefined ? placed : withObserved(placed, observed)
  const { object, dropped } = draft.known.kinds.settle(merged)
  for (const path of dropped)
    draft.notes.add(
      `${intent.kind}/${intent.metadata.name ?? ''}: ${path} is dropped, because ${parseGroupVersion(intent.apiVersion).group} ${intent.kind} has no such field`,
    )
  return withPlaceholderUid(object)
}

const MACHINERY = ['classRef', 'resourceRef'] as const
const PLACES = ['infrastructure', 'application'] as const

/** What the control plane wrote into the intent before: references and names; the file says the rest. */
function withObserved(intent: KubeObject, observed: KubeObject): KubeObject {
  const own = specOf(intent)
  const known = specOf(observed)
  const spec: Record<string, unknown> = { ...own }
  for (const field of MACHINERY) if (own[field] === undefined && known[field] !== undefined) spec[field] = known[field]
  for (const place of PLACES) {
    const before = getOwn(known, place)
    if (isJsonObject(before)) spec[place] = { ...before, ...(isJsonObject(own[place]) ? own[place] : {}) }
  }
  const { uid, annotations } = observed.metadata
  const merged = withMeta(intent, {
    ...(uid !== undefined && { uid }),
    ...(annotations && { annotations: { ...annotations, ...intent.metadata.annotations } }),
  })
  return { ...merged, spec, ...(observed['status'] !== undefined && { status: observed['status'] }) }
}
