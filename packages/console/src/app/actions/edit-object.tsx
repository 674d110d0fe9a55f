import { useMutation, useQuery } from '@tanstack/react-query'
import type { KubeObject } from '@weft/api'
import { type ReactNode, useMemo, useState } from 'react'
import { Code } from '../editor/code.tsx'
import { fromYaml, toYaml } from '../editor/yaml-text.ts'
import { type KindInfo, objectPath } from '../kinds/kind-info.ts'
import { Failure, Loading, Notice } from '../parts/notice.tsx'
import { useConsole } from '../session/console.tsx'

export interface EditObjectProps {
  readonly kind: KindInfo
  readonly object: KubeObject
  readonly onDone: () => void
}

/**
 * Edit, then see what the server would make of it (a dry run: defaults, admission and validation included), then save exactly that text. The
 * text carries the resourceVersion that it began with, so whoever changed the object meanwhile is not overwritten.
 */
export function EditObject({ kind, object, onDone }: EditObjectProps): ReactNode {
  const { api } = useConsole()
  const path = `/k8s${objectPath(kind, object.metadata.namespace, object.metadata.name ?? '')}`
  // What editing begins with, to the last digit; the object may change meanwhile.
  const begun = useQuery({
    queryKey: ['edit', path],
    queryFn: ({ signal }) => api.get<KubeObject>(path, { exact: true, signal }),
    staleTime: Infinity,
    gcTime: 0,
  })
  if (begun.data === undefined)
    return begun.error === null ? <Loading what="the object" /> : <Failure error={begun.error} doing="It cannot be read" />
  return <Editor path={path} begun={begun.data} object={object} onDone={onDone} />
}

interface EditorProps extends Omit<EditObjectProps, 'kind'> {
  readonly path: string
  readonly begun: KubeObject
}

function Editor({ path, begun, object, onDone }: EditorProps): ReactNode {
  const { api } = useConsole()
  const before = useMemo(() => toYaml(begun), [begun])
  const [text, setText] = useState(before)
  const [preview, setPreview] = useState<{ readonly of: string; readonly after: string }>()
  const put = (dryRun: boolean): Promise<KubeObject> => {
    const edited = fromYaml(text)
    return api.send<KubeObject>('PUT', `${path}?fieldManager=weft-console${dryRun ? '&dryRun=All' : ''}`, edited)
  }
  const check = useMutation({ mutationFn: async () => setPreview({ of: text, after: toYaml(await put(true)) }) })
  const save = useMutation({ mutationFn: () => put(false), onSuccess: onDone })
  const current = preview?.of === text ? preview : undefined
  const stale = object.metadata.resourceVersion !== begun.metadata.resourceVersion
  return (
    <section className="card" aria-label="Edit YAML">
      <div className="toolbar">
        <h2>Edit</h2>
        <span className="muted">Escape, then Tab leaves the editor.</span>
      </div>
      {stale && (
        <Notice tone="warning">
          The object was changed while you edit. Saving will be refused if you keep its resourceVersion: copy your change, cancel, and begin
          anew.
        </Notice>
      )}
      <Code label="YAML to edit" text={text} onChange={setText} />
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
        </div>
      )}
      <div className="buttons">
        <button type="button" className={current === undefined ? 'primary' : ''} disabled={check.isPending} onClick={() => check.mutate()}>
          {check.isPending ? 'Asking the server…' : 'Preview'}
        </button>
        <button
          type="button"
          className="primary"
          disabled={current === undefined || current.after === before || save.isPending}
          onClick={() => save.mutate()}
        >
          Save
        </button>
        <button type="button" onClick={onDone}>
          Cancel
        </button>
      </div>
    </section>
  )
}
