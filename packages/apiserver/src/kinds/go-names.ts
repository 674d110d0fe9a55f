import { type FieldType, Message, isList, isMap, isSchemaOr } from './message.ts'

/** Type names as Go's JSON errors show them: clients and tests have come to read these messages. */
export function goType(type: FieldType): string {
  if (isList(type)) return `[]${goType(type.list)}`
  if (isMap(type)) return `map[string]${goType(type.map)}`
  if (type instanceof Message) return `v1.${type.name.slice(type.name.lastIndexOf('.') + 1)}`
  if (isSchemaOr(type)) return 'v1.JSONSchemaProps'
  return LEAVES[type] ?? type
}

const LEAVES: Readonly<Record<string, string>> = {
  bytes: '[]uint8',
  double: 'float64',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  rawExtension: 'runtime.RawExtension',
  fieldsV1: 'v1.FieldsV1',
  extraValue: 'v1.ExtraValue',
}

export function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number' || typeof value === 'bigint') return Number.isInteger(Number(value)) ? 'number' : `number ${String(value)}`
  return typeof value
}
