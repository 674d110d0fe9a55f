import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { answerMessages } from '../kinds/index.ts'
import { type Element, type FieldType, isList, isMap, isSchemaOr, type Message, reachable } from '../kinds/message.ts'

/** What `scripts/published-fields.mjs` found in the schemas of Kubernetes: message, then number:name:type of each field. */
const published = new Map(
  readFileSync(new URL('./testdata/published-fields.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): [string, string[]] => {
      const [name = '', ...fields] = line.split(' ')
      return [name, fields.filter((field) => field !== '')]
    }),
)

const ours = [...reachable(answerMessages()).values()].sort((a, b) => (a.name < b.name ? -1 : 1))

it.each(ours.map((message) => [message.name, message] as const))(
  '%s has the numbers and types that Kubernetes publishes',
  (name, message) => {
    const expected = published.get(name)?.map((field) => field.split(':') as [string, string, string])
    expect(expected, `${name} is not among what is published`).toBeDefined()
    // What stands beside its fields in JSON has no name there.
    const inlined = new Set(message.fields.filter(({ inline }) => inline).map(({ number }) => String(number)))
    const describe = (number: string, field: string, type: string): string => `${number}:${inlined.has(number) ? '' : plain(field)}:${type}`
    expect(message.fields.map((field) => describe(String(field.number), field.name, typeOf(field.type))).sort()).toEqual(
      expected?.map(([number, field, type]) => describe(number, field, type.replace(LISTS, '$1extraValue'))).sort(),
    )
  },
)

/** Messages around a list of strings. */
const LISTS = /^(\{\})?io\.k8s\..*\.(ExtraValue|Verbs)$/

/** Names in JSON are not always those of the schema: `$ref`, `x-kubernetes-list-type`. */
const plain = (name: string): string => name.replace(/[^a-z0-9]/gi, '').toLowerCase()

function typeOf(type: FieldType): string {
  if (isList(type)) return `[]${elementOf(type.list)}`
  return isMap(type) ? `{}${elementOf(type.map)}` : elementOf(type)
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const SCHEMA = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'
const WRAPPED: Readonly<Record<string, string>> = {
  time: `${META}.Time`,
  microTime: `${META}.MicroTime`,
  fieldsV1: `${META}.FieldsV1`,
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  rawExtension: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  json: `${SCHEMA}.JSON`,
}
const EITHER = { list: 'JSONSchemaPropsOrArray', bool: 'JSONSchemaPropsOrBool', names: 'JSONSchemaPropsOrStringArray' }

function elementOf(element: Element): string {
  if (typeof element === 'string') return WRAPPED[element] ?? element
  return isSchemaOr(element) ? `${SCHEMA}.${EITHER[element.schemaOr]}` : (element as Message).name
}
