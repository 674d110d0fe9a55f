import {
  type Attribute as AttributeMessage,
  type Block as BlockMessage,
  type NestedBlock as NestedBlockMessage,
  NestedBlock_NestingMode,
  type Object$,
  Object_NestingMode,
  type ResourceIdentitySchema,
  type Schema as SchemaMessage,
  StringKind,
} from '../generated/tfplugin6_pb.ts'
import { nestedType } from '../schema/block-type.ts'
import type { Attribute, Block, DescriptionKind, IdentitySchema, NestedBlock, NestedType, Nesting, Schema } from '../schema/schema.ts'
import type { Type } from '../value/type.ts'
import { typeFromJson } from '../value/type-json.ts'

/** A provider without a configuration sends no block. */
const EMPTY: Block = {
  attributes: new Map(),
  blocks: new Map(),
  description: '',
  descriptionKind: 'plain',
  deprecated: false,
  deprecationMessage: '',
}

/** The schema that a message states. Throws where it is none that we know. */
export const readSchema = ({ version, block }: SchemaMessage): Schema => ({
  version: Number(version),
  block: block === undefined ? EMPTY : readBlock(block),
})

export const readIdentity = ({ version, identityAttributes }: ResourceIdentitySchema): IdentitySchema => ({
  version: Number(version),
  attributes: new Map(
    identityAttributes.map(({ name, type, requiredForImport, optionalForImport, description }) => [
      name,
      { name, type: readType(type), requiredForImport, optionalForImport, description },
    ]),
  ),
})

const readBlock = ({ attributes, blockTypes, description, descriptionKind, deprecated, deprecationMessage }: BlockMessage): Block => ({
  attributes: new Map(attributes.map((attribute) => [attribute.name, readAttribute(attribute)])),
  blocks: new Map(blockTypes.map((nested) => [nested.typeName, readNestedBlock(nested)])),
  description,
  descriptionKind: kindOf(descriptionKind),
  deprecated,
  deprecationMessage,
})

function readAttribute(message: AttributeMessage): Attribute {
  const nested = message.nestedType === undefined ? undefined : readNested(message.nestedType)
  return {
    name: message.name,
    type: nested === undefined ? readType(message.type) : nestedType(nested),
    nested,
    description: message.description,
    descriptionKind: kindOf(message.descriptionKind),
    required: message.required,
    optional: message.optional,
    computed: message.computed,
    sensitive: message.sensitive,
    writeOnly: message.writeOnly,
    deprecated: message.deprecated,
    deprecationMessage: message.deprecationMessage,
  }
}

const readNested = ({ attributes, nesting }: Object$): NestedType => ({
  nesting: known(OBJECT_NESTING[nesting], 'attribute', nesting),
  attributes: new Map(attributes.map((attribute) => [attribute.name, readAttribute(attribute)])),
})

const readNestedBlock = ({ typeName, block, nesting, minItems, maxItems }: NestedBlockMessage): NestedBlock => ({
  name: typeName,
  nesting: known(BLOCK_NESTING[nesting], 'block', nesting),
  block: block === undefined ? EMPTY : readBlock(block),
  minItems: Number(minItems),
  maxItems: Number(maxItems),
})

const OBJECT_NESTING: Readonly<Record<number, NestedType['nesting']>> = {
  [Object_NestingMode.SINGLE]: 'single',
  [Object_NestingMode.LIST]: 'list',
  [Object_NestingMode.SET]: 'set',
  [Object_NestingMode.MAP]: 'map',
}
const BLOCK_NESTING: Readonly<Record<number, Nesting>> = {
  [NestedBlock_NestingMode.SINGLE]: 'single',
  [NestedBlock_NestingMode.LIST]: 'list',
  [NestedBlock_NestingMode.SET]: 'set',
  [NestedBlock_NestingMode.MAP]: 'map',
  [NestedBlock_NestingMode.GROUP]: 'group',
}

function known<T>(nesting: T | undefined, what: string, mode: number): T {
  if (nesting === undefined) throw new Error(`the provider's schema nests an ${what} in a way that is not known (${mode})`)
  return nesting
}

const kindOf = (kind: StringKind): DescriptionKind => (kind === StringKind.MARKDOWN ? 'markdown' : 'plain')
const readType = (json: Uint8Array): Type => typeFromJson(JSON.parse(Buffer.from(json).toString()))
