import { isJsonObject, messageOf } from '@weft/api'
import { type ReactNode, useId, useState } from 'react'
import { parse, stringify } from 'yaml'
import { type Field, type NamedField } from './field.ts'
import { limitsOf, problemWith } from './limits.ts'
import { pruned, withKey } from './value.ts'

export interface FieldsProps {
  readonly fields: readonly NamedField[]
  readonly value: unknown
  /** Whether fields that are required must be filled in now: those of an optional object must be once it is there. */
  readonly isNeeded?: boolean
  /** What else is to be said of a field, by its name. */
  readonly remark?: (field: string) => string | undefined
  readonly onChange: (value: unknown) => void
}

/** Inputs for the properties of an object. */
export function Fields({ fields, value, isNeeded = true, remark, onChange }: FieldsProps): ReactNode {
  const object = isJsonObject(value) ? value : {}
  return fields.map((named) => (
    <NamedInput
      key={named.name}
      named={named}
      value={object[named.name]}
      isNeeded={isNeeded}
      remark={remark?.(named.name)}
      onChange={(child) => onChange(withKey(value, named.name, child))}
    />
  ))
}

interface InputProps {
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function NamedInput({
  named,
  value,
  isNeeded,
  remark,
  onChange,
}: InputProps & { readonly named: NamedField; readonly isNeeded: boolean; readonly remark?: string | undefined }): ReactNode {
  const id = useId()
  const { title, description, field } = named
  const required = named.required && isNeeded
  const limits = limitsOf(field)
  const problem = problemWith(field, value)
  const note = [
    ...(description === undefined ? [] : [`${id}-note`]),
    ...(limits === undefined && problem === undefined ? [] : [`${id}-limits`]),
    ...(remark === undefined ? [] : [`${id}-remark`]),
  ].join(' ')
  if (field.type === 'group' || field.type === 'list' || field.type === 'map')
    return (
      <fieldset className="field-group">
        <legend>
          {title}
          {required && <Required />}
        </legend>
        {description !== undefined && <p className="muted">{description}</p>}
        {remark !== undefined && <p className="field-remark">{remark}</p>}
        <Input field={field} id={id} note={undefined} required={required} value={value} onChange={onChange} />
      </fieldset>
    )
  return (
    <div className={field.type === 'switch' ? 'field field-switch' : 'field'}>
      <label htmlFor={id}>
        {title}
        {required && <Required />}
      </label>
      <Input
        field={field}
        id={id}
        note={note === '' ? undefined : note}
        required={required}
        invalid={problem !== undefined}
        value={value}
        onChange={onChange}
      />
      {description !== undefined && (
        <p className="muted" id={`${id}-note`}>
          {description}
        </p>
      )}
      {(limits !== undefined || problem !== undefined) && (
        <p className={problem === undefined ? 'muted' : 'field-problem'} id={`${id}-limits`} aria-live="polite">
          {problem ?? `${limits}.`}
        </p>
      )}
      {remark !== undefined && (
        <p className="field-remark" id={`${id}-remark`}>
          {remark}
        </p>
      )}
    </div>
  )
}

const Required = (): ReactNode => (
  <span className="required" title="required">
    {' '}
    *
  </span>
)

interface TypedInputProps extends InputProps {
  readonly field: Field
  readonly id: string
  readonly note: string | undefined
  readonly required: boolean
  readonly invalid?: boolean
}

function Input({ field, id, note, required, invalid = false, value, onChange }: TypedInputProps): ReactNode {
  switch (field.type) {
    case 'text':
      return (
        <input
          id={id}
          aria-describedby={note}
          aria-invalid={invalid}
          required={required}
          value={typeof value === 'string' || typeof value === 'number' ? String(value) : ''}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case 'number':
      return (
        <input
          id={id}
          type="number"
          aria-describedby={note}
          aria-invalid={invalid}
          required={required}
          min={field.minimum}
          max={field.maximum}
          step={field.integer ? 1 : 'any'}
          value={typeof value === 'number' ? value : ''}
          onChange={(event) => onChange(Number.isNaN(event.target.valueAsNumber) ? undefined : event.target.valueAsNumber)}
        />
      )
    case 'choice':
      return (
        <select
          id={id}
          aria-describedby={note}
          required={required}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{required ? 'Choose one' : '(not set)'}</option>
          {field.options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      )
    case 'switch':
      return (
        <input
          id={id}
          type="checkbox"
          aria-describedby={note}
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      )
    case 'group':
      return (
        <>
          <Fields fields={field.fields} value={value} isNeeded={required || pruned(value) !== undefined} onChange={onChange} />
          {field.fields.length === 0 && <YamlInput id={id} label="As YAML" value={value} onChange={onChange} />}
        </>
      )
    case 'map':
      return <MapInput value={value} onChange={onChange} />
    case 'list':
      return <ListInput field={field} value={value} onChange={onChange} />
    case 'yaml':
      return <YamlInput id={id} note={note} value={value} onChange={onChange} />
  }
}

function MapInput({ value, onChange }: InputProps): ReactNode {
  const entries = isJsonObject(value) ? Object.entries(value) : []
  const change = (next: readonly (readonly [string, unknown])[]): void => onChange(Object.fromEntries(next))
  return (
    <>
      {entries.map(([key, text], i) => (
        // Keys are edited, so their places identify them.
        <div key={i} className="pair">
          <input
            aria-label="Key"
            value={key}
            onChange={(event) => change(entries.map((entry, j) => (i === j ? [event.target.value, text] : entry)))}
          />
          <input
            aria-label={`Value of ${key}`}
            value={typeof text === 'string' ? text : ''}
            onChange={(event) => change(entries.map((entry, j) => (i === j ? [key, event.target.value] : entry)))}
          />
          <button type="button" className="small" aria-label={`Remove ${key}`} onClick={() => change(entries.filter((_, j) => i !== j))}>
            Remove
          </button>
        </div>
      ))}
      <button type="button" className="small" disabled={entries.some(([key]) => key === '')} onClick={() => change([...entries, ['', '']])}>
        Add a pair
      </button>
    </>
  )
}

function ListInput({ field, value, onChange }: InputProps & { readonly field: Extract<Field, { readonly type: 'list' }> }): ReactNode {
  const id = useId()
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  return (
    <>
      {items.map((item, i) => (
        // Items have no identity of their own.
        <div key={i} className="list-item" role="group" aria-label={`Item ${i + 1}`}>
          <div>
            <label htmlFor={`${id}-${i}`} className="unseen">
              Item {i + 1}
            </label>
            <Input
              field={field.item}
              id={`${id}-${i}`}
              note={undefined}
              required={field.item.type === 'group'}
              value={item}
              onChange={(next) => onChange(items.map((each, j) => (i === j ? next : each)))}
            />
          </div>
          <button
            type="button"
            className="small"
            aria-label={`Remove item ${i + 1}`}
            onClick={() => onChange(items.filter((_, j) => i !== j))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" className="small" onClick={() => onChange([...items, field.item.type === 'group' ? {} : ''])}>
        Add an item
      </button>
    </>
  )
}

/** Anything, as YAML. What cannot be read is told at once and changes nothing. */
export function YamlInput({
  id,
  label,
  note,
  value,
  onChange,
}: InputProps & { readonly id: string; readonly label?: string; readonly note?: string | undefined }): ReactNode {
  const [text, setText] = useState(() => (value === undefined ? '' : stringify(value)))
  const [problem, setProblem] = useState<string>()
  return (
    <>
      <textarea
        id={id}
        aria-label={label}
        aria-describedby={note}
        aria-invalid={problem !== undefined}
        rows={3}
        spellCheck={false}
        className="code-input"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          try {
            onChange((parse(event.target.value, { maxAliasCount: 100 }) as unknown) ?? undefined)
            setProblem(undefined)
          } catch (error) {
            setProblem(messageOf(error).split('\n')[0])
          }
        }}
      />
      {problem !== undefined && (
        <p role="alert" className="field-problem">
          {problem}
        </p>
      )}
    </>
  )
}
