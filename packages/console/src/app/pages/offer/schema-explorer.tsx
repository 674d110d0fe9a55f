import type { Schema } from '@weft/api'
import { type ReactNode, useState } from 'react'
import type { KindInfo } from '../../../kinds/kind-info.ts'
import { Failure, Loading } from '../../parts/notice.tsx'
import { useSchema } from '../../schema/use-schema.ts'

/** What may be written into objects of a kind, and what they say: every field with its type, its default, its limits and what it is for. */
export default function SchemaExplorer({ kind }: { readonly kind: KindInfo }): ReactNode {
  const { schema, isPending, error } = useSchema(kind)
  const parts = ['spec', 'specTemplate', 'status'].flatMap((name) => {
    const part = schema?.properties?.[name]
    return part === undefined ? [] : [[name, part] as const]
  })
  return (
    <section className="card wide" aria-labelledby="schema">
      <h2 id="schema">
        Fields of {kind.kind} <span className="muted">{kind.version}</span>
      </h2>
      {isPending && <Loading what="the schema" />}
      <Failure error={error} doing="The schema cannot be read" />
      {schema === undefined && !isPending && error === null && <p className="calm">The server provides no schema for this kind.</p>}
      {schema !== undefined && parts.length === 0 && <p className="calm">It has neither a spec nor a status.</p>}
      {parts.map(([name, part]) => (
        <section key={name} aria-label={`Fields of ${name}`}>
          <SchemaField name={name} schema={part} isRequired={schema?.required?.includes(name) === true} depth={0} />
        </section>
      ))}
    </section>
  )
}

interface SchemaFieldProps {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly depth: number
}

function SchemaField({ name, schema, isRequired, depth }: SchemaFieldProps): ReactNode {
  const [open, setOpen] = useState(depth === 0)
  const inner = fieldsOf(schema)
  const head = (
    <>
      <span className="value-key">{name}</span> <span className="field-type">{typeOf(schema)}</span>{' '}
      {isRequired && <span className="pill">required</span>}{' '}
      {schema.default !== undefined && (
        <span className="muted">
          default <code>{JSON.stringify(schema.default)}</code>
        </span>
      )}{' '}
      <span className="muted">{limitsOf(schema)}</span>
    </>
  )
  const description = schema.description !== undefined && <p className="field-description">{schema.description}</p>
  if (inner.length === 0)
    return (
      <div className="schema-field">
        {head}
        {description}
      </div>
    )
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{head}</summary>
      {description}
      {open && (
        <ul className="values">
          {inner.map(([key, child]) => (
            <li key={key}>
              <SchemaField name={key} schema={child} isRequired={required(schema).includes(key)} depth={depth + 1} />
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}

const holder = (schema: Schema): Schema =>
  schema.items ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : schema)
const fieldsOf = (schema: Schema): readonly (readonly [string, Schema])[] => Object.entries(holder(schema).properties ?? {})
const required = (schema: Schema): readonly string[] => holder(schema).required ?? []

/** `text`, `list of objects`, `number`. */
function typeOf(schema: Schema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.map((each) => JSON.stringify(each)).join(', ')}`
  if (schema.type === 'array') return schema.items === undefined ? 'list' : `list of ${typeOf(schema.items)}`
  if (typeof schema.additionalProperties === 'object') return `map to ${typeOf(schema.additionalProperties)}`
  return schema.type ?? 'anything'
}

function limitsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems, pattern }: Schema): string {
  return [
    range('', minimum, maximum),
    range(' characters', minLength, maxLength),
    range(' elements', minItems, maxItems),
    ...(pattern === undefined ? [] : [`must match ${pattern}`]),
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function range(unit: string, least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`
  if (least !== undefined) return `at least ${least}${unit}`
  return most === undefined ? '' : `at most ${most}${unit}`
}
