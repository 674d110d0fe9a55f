import { useMutation, useQuery } from '@tanstack/react-query'
import { type KubeObject, StatusError } from '@weft/api'
import { type ReactNode, useMemo, useState } from 'react'
import type { Plan } from '../../contract.ts'
import { PlanView } from '../actions/plan-view.tsx'
import { Code } from '../editor/code.tsx'
import { fromYaml, lineOf, toYaml } from '../editor/yaml-text.ts'
import { type KindInfo, objectPath } from '../../kinds/kind-info.ts'
import { Failure, Loading, Notice } from '../parts/notice.tsx'
import { useSchema } from '../schema/use-schema.ts'
import { useConsole } from '../session/console.tsx'
import { type Draft, draftsOf } from './drafts.ts'
import { changedImmutables, immutableFields } from './immutable.ts'
import { type Conflict, merge } from './merge.ts'
import { useDraft } from './use-draft.ts'

export interface EditObjectProps {
  readonly kind: KindInfo
  readonly object: KubeObject
  readonly onDone: () => void
}

/**
 * Edit, then see what the server would make of it (a dry run: defaults, admission and validation included) and what would come of that further down, then
 * save exactly that text. The text carries the resourceVersion that it began with, so whoever changed the object meanwhile is not overwritten.
 */
export function EditObject({ kind, object, onDone }: EditObjectProps): ReactNode {
  const { api } = useConsole()
  const path = `/k8s${objectPath(kind, object.metadata.namespace, object.metadata.name ?? '')}`
  const [draft] = useState(() => draftsOf(api).get(path))
  // What editing begins with, to the last digit; the object may change meanwhile.
  const begun = useQuery({
    queryKey: ['edit', path],
    enabled: draft === undefined,
    queryFn: ({ signal }) => api.get<KubeObject>(path, { exact: true, signal }),
    staleTime: Infinity,
    gcTime: 0,
  })
  if (draft !== undefined) return <Editor kind={kind} path={path} first={draft} object={object} onDone={onDone} />
  if (begun.data === undefined)
    return begun.error === null ? <Loading what="the object" /> : <Failure error={begun.error} doing="It cannot be read" />
  return <Editor kind={kind} path={path} first={{ begun: begun.data, text: toYaml(begun.data) }} object={object} onDone={onDone} />
}

interface EditorProps extends EditObjectProps {
  readonly path: string
  readonly first: Draft
}

interface Preview {
  readonly of: string
  readonly after: string
  /** What would come of it; absent where that cannot be said. */
  readonly plan: Plan | undefined
}

function Editor({ kind, path, first, object, onDone }: EditorProps): ReactNode {
  const { api } = useConsole()
  const { schema } = useSchema(kind)
  const [begun, setBegun] = useState(first.begun)
  const [text, setText] = useState(first.text)
  const [preview, setPreview] = useState<Preview>()
  const [conflicts, setConflicts] = useState<readonly Conflict[]>()
  const before = useMemo(() => toYaml(begun), [begun])
  const read = useMemo(() => parsed(text), [text])
  const fixed = useMemo(() => immutableFields(schema), [schema])
  const refused = 'object' in read ? changedImmutables(begun, read.object, fixed) : []
  const [isDone, setDone] = useState(false)
  useDraft(
    api,
    path,
    useMemo(() => (text === before || isDone ? undefined : { begun, text }), [begun, text, before, isDone]),
  )
  const leave = (): void => {
    draftsOf(api).delete(path)
    setDone(true)
    onDone()
  }
  const put = (dryRun: boolean): Promise<KubeObject> =>
    api.send<KubeObject>('PUT', `${path}?fieldManager=weft-console${dryRun ? '&dryRun=All' : ''}`, fromYaml(text))
  const check = useMutation({
    mutationFn: async () => {
      const after = toYaml(await put(true))
      setPreview({
        of: text,
        after,
        plan: await planned(() => api.send<Plan>('POST', '/console/plan', { objects: [planInput(fromYaml(text))] })),
      })
    },
  })
  const save = useMutation({ mutationFn: () => put(false), onSuccess: leave })
  const takeOver = useMutation({
    mutationFn: async () => {
      const theirs = await api.get<KubeObject>(path, { exact: true })
      const merged = merge(begun, fromYaml(text), theirs)
      setBegun(theirs)
      setText(toYaml(merged.object))
      setConflicts(merged.conflicts)
    },
  })
  const current = preview?.of === text ? preview : undefined
  const isStale = object.metadata.resourceVersion !== begun.metadata.resourceVersion
  const isMeaningful = 'object' in read && refused.length === 0
  return (
    <section className="card" aria-label="Edit YAML">
      <div className="toolbar">
        <h2>Edit</h2>
        <span className="muted">Escape, then Tab leaves the editor. Your text is kept when you open another page.</span>
      </div>
      {first.text !== toYaml(first.begun) && conflicts === undefined && text === first.text && (
        <Notice tone="info">This is your earlier draft, which was not saved.</Notice>
      )}
      {isStale && (
        <Notice tone="warning">
          The object was changed while you edit. Saving as it is would be refused.{' '}
          <button type="button" disabled={takeOver.isPending || !('object' in read)} onClick={() => takeOver.mutate()}>
            Merge the other changes
          </button>
        </Notice>
      )}
      <Failure error={takeOver.error} doing="The other changes cannot be merged" />
      {conflicts !== undefined && !isStale && <Conflicts conflicts={conflicts} />}
      <Code label="YAML to edit" text={text} onChange={setText} marked={'problem' in read ? read.line : undefined} />
      {'problem' in read && (
        <Notice tone="warning">
          {read.line !== undefined && <strong>Line {read.line}: </strong>}
          {read.problem}
        </Notice>
      )}
      {refused.length > 0 && (
        <Notice tone="warning">
          {refused.join(', ')} cannot be changed once {refused.length === 1 ? 'it is' : 'they are'} set: make a new object for that.
        </Notice>
      )}
      <Failure error={check.error} doing="The server would refuse this" />
      <Failure error={save.error} doing="Not saved" />
      {current !== undefined && (
        <div role="region" aria-label="What would change">
          <h3>What would change</h3>
          {current.after === before ? (
            <p className="calm">Nothing.</p>
          ) : (
            <Code label="Difference after a dry run on the server" text={current.after} original={before} />
          )}
          {current.plan !== undefined && current.after !== before && (
            <>
              <h3>Consequences</h3>
              <PlanView plan={current.plan} />
            </>
          )}
        </div>
      )}
      <div className="buttons">
        <button
          type="button"
          className={current === undefined ? 'primary' : ''}
          disabled={check.isPending || !isMeaningful}
          onClick={() => check.mutate()}
        >
          {check.isPending ? 'Asking the server…' : 'Preview'}
        </button>
        <button
          type="button"
          className="primary"
          disabled={current === undefined || current.after === before || save.isPending || isStale}
          onClick={() => save.mutate()}
        >
          Save
        </button>
        <button type="button" onClick={leave}>
          {text === before ? 'Cancel' : 'Discard'}
        </button>
      </div>
    </section>
  )
}

function Conflicts({ conflicts }: { readonly conflicts: readonly Conflict[] }): ReactNode {
  if (conflicts.length === 0)
    return <Notice tone="info">The text now contains the changes of others and your own. Check it with Preview.</Notice>
  return (
    <Notice tone="warning">
      Others changed the same fields as you. The text contains your values: decide which to keep.
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Yours</th>
              <th scope="col">Theirs</th>
            </tr>
          </thead>
          <tbody>
            {conflicts.map(({ path, mine, theirs }) => (
              <tr key={path}>
                <th scope="row">
                  <code>{path}</code>
                </th>
                <td>{valueText(mine)}</td>
                <td>{valueText(theirs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Notice>
  )
}

const valueText = (value: unknown): string =>
  value === undefined ? 'taken away' : typeof value === 'string' ? value : JSON.stringify(value)

type Read = { readonly object: KubeObject } | { readonly problem: string; readonly line: number | undefined }

function parsed(text: string): Read {
  try {
    return { object: fromYaml(text) }
  } catch (error) {
    return { problem: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error), line: lineOf(error) }
  }
}

/** What people write: a plan of what the server adds by itself would say that it is taken away. */
const planInput = (edited: KubeObject): KubeObject => {
  const { status: _, ...rest } = edited as KubeObject & { readonly status?: unknown }
  const { resourceVersion: __, generation: ___, managedFields: ____, uid: _____, creationTimestamp: ______, ...metadata } = rest.metadata
  return { ...rest, metadata }
}

/** A server that cannot plan, or does not let this user see what decides it, has still said whether it would take the text. */
async function planned(ask: () => Promise<Plan>): Promise<Plan | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof StatusError && [501, 403].includes(error.code)) return undefined
    return { changes: [], warnings: [`The consequences cannot be shown: ${error instanceof Error ? error.message : String(error)}`] }
  }
}
