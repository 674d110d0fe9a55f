import type { Attribute, Block, NestedBlock, Schema } from '../schema/schema.ts'
import { blockType } from '../schema/block-type.ts'
import { hasDynamic, type Type } from '../value/type.ts'
import { describe } from './description.ts'
import { FieldNames } from './field-names.ts'
import { overlayOf, NO_OVERLAY, type TypeOverlay } from './overlay.ts'
import { guessReference, type FoundReference, type ReferenceTargets, statedReference } from './references.ts'
import type { Field, Form, KindShape, Reference } from './shape.ts'

export interface ShapeOptions {
  readonly overlay?: TypeOverlay | undefined
  /** The word that types of the provider begin with: `aws`. */
  readonly prefix?: string | undefined
  readonly targets?: ReferenceTargets | undefined
  /** `configuration`: of the provider itself, which has no state; its fields refer to nothing. */
  readonly sort?: 'resource' | 'data' | 'configuration' | undefined
}

/** Tags and labels that a provider adds by itself: asking for them would only fight it. */
const ONLY_ANSWERED: ReadonlySet<string> = new Set(['id', 'tags_all', 'effective_labels', 'effective_annotations', 'terraform_labels'])
/** How long the provider may take: nothing about the thing itself. */
const TIMEOUTS = 'timeouts'

/** A schema as the fields of a kind. Depends on nothing but its arguments. */
export function shapeOf({ block }: Schema, options: ShapeOptions = {}): KindShape {
  const fields = new Shaper(options).block(block, '')
  return { fields, description: describe(block.description, block), deprecated: block.deprecated }
}

class Shaper {
  readonly #overlay: TypeOverlay
  readonly #options: ShapeOptions

  constructor(options: ShapeOptions) {
    this.#options = options
    this.#overlay = options.overlay ?? overlayOf(NO_OVERLAY, '')
  }

  block({ attributes, blocks }: Block, path: string): readonly Field[] {
    const names = new FieldNames([...attributes.keys(), ...blocks.keys()])
    return [
      ...[...attributes.values()].map((attribute) => this.#attribute(attribute, names, path)),
      ...[...blocks.values()].map((block) => this.#nested(block, names, path)),
    ].toSorted(byName)
  }

  #attributes(attributes: ReadonlyMap<string, Attribute>, path: string): readonly Field[] {
    const names = new FieldNames(attributes.keys())
    return [...attributes.values()].map((attribute) => this.#attribute(attribute, names, path)).toSorted(byName)
  }

  #attribute(attribute: Attribute, names: FieldNames, parent: string): Field {
    const { name, deprecated, description } = attribute
    const path = `${parent}${name}`
    const isTop = parent === ''
    const field = names.of(name)
    const input = this.#inputOf(attribute, isTop)
    const form = this.#form(attribute, `${path}.`)
    const sensitive = attribute.sensitive || this.#overlay.sensitive.has(path)
    const isSecret = input !== 'none' && (sensitive || attribute.writeOnly)
    const reference = input === 'none' || isSecret ? undefined : this.#reference(name, field, path, form, names)
    return {
      name,
      field,
      input,
      form,
      absent: 'null',
      output: attribute.writeOnly || (isTop && name === TIMEOUTS) ? 'none' : sensitive ? 'connection' : 'status',
      description: describe(description, attribute),
      deprecated,
      ...(input === 'optional' && attribute.computed && { computed: true }),
      ...(isSecret && { secretField: names.derive(`${field}SecretRef`) }),
      ...(reference !== undefined && { reference }),
    }
  }

  #inputOf({ name, required, optional, computed }: Attribute, isTop: boolean): Field['input'] {
    if (required) return 'required'
    if (!optional) return 'none'
    const answered = computed && isTop && this.#options.sort !== 'configuration' && this.#options.sort !== 'data' && ONLY_ANSWERED.has(name)
    return answered ? 'none' : 'optional'
  }

  #form({ nested, type }: Attribute, path: string): Form {
    if (nested === undefined) return formOf(type)
    const element: Form = { kind: 'object', fields: this.#attributes(nested.attributes, path) }
    return nested.nesting === 'single' ? element : collection(nested.nesting, element)
  }

  #nested({ name, nesting, block, minItems, maxItems }: NestedBlock, names: FieldNames, parent: string): Field {
    const path = `${parent}${name}`
    const fields = this.block(block, `${path}.`)
    const element: Form = { kind: 'object', fields }
    const untyped = (nesting === 'list' || nesting === 'map') && hasDynamic(blockType(block))
    const isOnly = (nesting === 'list' || nesting === 'set') && maxItems === 1
    const form: Form =
      nesting === 'single' || nesting === 'group'
        ? element
        : isOnly
          ? { kind: 'only', of: nesting, element, untyped }
          : collection(nesting, element, { minItems, maxItems, untyped })
    return {
      name,
      field: names.of(name),
      input: minItems > 0 ? 'required' : fields.length === 0 || fields.some(({ input }) => input !== 'none') ? 'optional' : 'none',
      form,
      absent: nesting === 'single' ? 'null' : 'empty',
      output: parent === '' && name === TIMEOUTS ? 'none' : 'status',
      description: describe(block.description, block),
      deprecated: block.deprecated,
    }
  }

  #reference(name: string, field: string, path: string, form: Form, names: FieldNames): Reference | undefined {
    const found = this.#found(name, path, form)
    if (found === undefined) return undefined
    // As the walker of references spells them: subnetIds is filled by subnetIdRefs.
    const stem = found.many ? field.replace(/s$/, '') : field
    const [refField, selectorField] = [`${stem}Ref${found.many ? 's' : ''}`, `${stem}Selector`]
    return names.deriveAll([refField, selectorField]) ? { ...found, refField, selectorField } : undefined
  }

  #found(name: string, path: string, form: Form): FoundReference | undefined {
    const { targets, prefix, sort } = this.#options
    if (targets === undefined || prefix === undefined || sort === 'configuration') return undefined
    const many = (form.kind === 'list' || form.kind === 'set') && form.element.kind === 'string'
    if (!many && form.kind !== 'string') return undefined
    const stated = this.#overlay.references.get(path)
    if (stated === null) return undefined
    const found = stated === undefined ? guessReference(name, prefix, targets) : statedReference(stated, many, targets)
    // What is one by its name and several by its type is not understood.
    return found?.many === many && (!many || name.endsWith('s')) ? found : undefined
  }
}

const byName = (a: Field, b: Field): number => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0)

/** The form of a plain type: fields inside it have no flags of their own, so all of them may be given and are shown. */
export function formOf(type: Type): Form {
  switch (type.kind) {
    case 'list':
    case 'set':
    case 'map':
      return collection(type.kind, formOf(type.element))
    case 'tuple':
      return { kind: 'tuple', elements: type.elements.map(formOf) }
    case 'object': {
      const names = new FieldNames(type.attributes.keys())
      const fields = [...type.attributes].map(([name, of]): Field => ({
        name,
        field: names.of(name),
        input: 'optional',
        output: 'status',
        form: formOf(of),
        absent: 'null',
        description: '',
        deprecated: false,
      }))
      return { kind: 'object', fields: fields.toSorted(byName) }
    }
    default:
      return type
  }
}

const collection = (
  kind: 'list' | 'set' | 'map',
  element: Form,
  { minItems = 0, maxItems = 0, untyped = false }: { minItems?: number; maxItems?: number; untyped?: boolean } = {},
): Form => (kind === 'map' ? { kind, element, untyped } : { kind, element, minItems, maxItems, untyped })
