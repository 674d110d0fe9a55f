import { describeProviderPlan, isReference } from '@weft/api'
import { type ReactNode, useState } from 'react'
import type { FieldChange, Plan, PlannedChange } from '../../contract.ts'
import { count } from '../objects/words.ts'
import { Notice } from '../parts/notice.tsx'

const ACTIONS: Readonly<Record<PlannedChange['action'], { readonly mark: string; readonly word: string }>> = {
  create: { mark: '+', word: 'Create' },
  update: { mark: '~', word: 'Change' },
  delete: { mark: '−', word: 'Delete' },
  keep: { mark: '=', word: 'Keep' },
}

/** All that would change, object by object, field by field. */
export function PlanView({ plan: { changes, warnings } }: { readonly plan: Plan }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? changes : changes.slice(0, FOLD_ABOVE)
  return (
    <div className="plan">
      <p role="status">{changes.length === 0 ? 'Nothing would change.' : `${summary(changes)}. Nothing is written yet.`}</p>
      {warnings.map((warning) => (
        <Notice key={warning} tone="warning">
          {warning}
        </Notice>
      ))}
      {changes.length > 0 && (
        <ul className="changes" aria-label="Planned changes">
          {shown.map((change) => (
            <Change
              key={`${change.object.apiVersion} ${change.object.kind} ${change.object.namespace ?? ''}/${change.object.name}`}
              change={change}
            />
          ))}
        </ul>
      )}
      {shown.length < changes.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show {changes.length - shown.length} more
        </button>
      )}
    </div>
  )
}

/** A longer plan is folded: what it is a plan for, and the button that does it, stay in view. */
const FOLD_ABOVE = 8

const summary = (changes: readonly PlannedChange[]): string =>
  (['create', 'update', 'delete', 'keep'] as const)
    .flatMap((action) => {
      const n = changes.filter((change) => change.action === action).length
      return n === 0 ? [] : [`${ACTIONS[action].word} ${count(n, 'object')}`]
    })
    .join(', ')

function Change({
  change: { action, object, why, fields = [], destroys, provider, depth = 0 },
}: {
  readonly change: PlannedChange
}): ReactNode {
  const { mark, word } = ACTIONS[action]
  const shown = fields.filter(({ bookkeeping }) => bookkeeping !== true)
  return (
    <li className={`change change-${action} level-${Math.min(depth + 1, 8)}`}>
      <span className="change-mark">
        <span aria-hidden="true">{mark}</span> {word}
      </span>
      <div>
        <strong>{object.kind}</strong> {object.namespace !== undefined && <span className="muted">{object.namespace}/</span>}
        {object.name}
        {why !== undefined && <p className="why">{why}</p>}
        {destroys !== undefined && (
          <p className="why">
            Destroys the external resource <code>{destroys}</code> and all data in it.
          </p>
        )}
        {shown.length > 0 && (
          <details open={action === 'update'}>
            <summary>{count(shown.length, 'field')}</summary>
            <ul className="field-changes">
              {shown.map((field) => (
                <Field key={field.path} field={field} />
              ))}
            </ul>
          </details>
        )}
        {provider !== undefined && <ProviderPart plan={provider} />}
      </div>
    </li>
  )
}

/** What its provider would do. */
function ProviderPart({ plan }: { readonly plan: NonNullable<PlannedChange['provider']> }): ReactNode {
  const fields = plan.action === 'unknown' ? [] : plan.fields
  return (
    <>
      <p className="why">{describeProviderPlan(plan)}</p>
      {fields.length > 0 && (
        <ul className="field-changes">
          {fields.map((field) => (
            <Field key={field.path} field={field} />
          ))}
        </ul>
      )}
    </>
  )
}

function Field({ field: { path, before, after } }: { readonly field: FieldChange }): ReactNode {
  return (
    <li>
      <code>{path}</code>: {before !== undefined && <del>{text(before)}</del>} {before !== undefined && after !== undefined && '→ '}
      {after !== undefined && <ins>{text(after)}</ins>}
    </li>
  )
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : isReference(value) ? `${value.kind} ${value.name}` : JSON.stringify(value)
