import { inTurn, type KubeObject, messageOf, PAUSED, RECONCILE_REQUESTED_AT } from '@weft/api'
import { type ReactNode, useState } from 'react'
import { type KindInfo, LIVING_ROLES, objectPath, roleOf } from '../../kinds/kind-info.ts'
import { count } from '../objects/words.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Notice } from '../parts/notice.tsx'
import { TypedWord } from '../parts/typed-word.tsx'
import { fullName } from '../parts/object-link.tsx'
import { useAccess, wishFor } from '../session/access.ts'
import { useConsole } from '../session/console.tsx'

/** Requests under way at once: a browser sends six. */
const AT_ONCE = 4
const MOST_NAMED = 10
const MOST_FAILURES = 5

export interface BulkActionsProps {
  readonly kind: KindInfo
  readonly objects: readonly KubeObject[]
  readonly onDone: () => void
}

interface Progress {
  readonly done: number
  readonly total: number
  readonly failures: readonly string[]
}

/** What may be done to all of them, one after the other. What fails is told; the others go on. */
export function BulkActions({ kind, objects, onDone }: BulkActionsProps): ReactNode {
  const { api, namespace } = useConsole()
  const [progress, setProgress] = useState<Progress>()
  const [deleting, setDeleting] = useState(false)
  const mayPatch = useAccess(wishFor('patch', kind, namespace))
  const mayDelete = useAccess(wishFor('delete', kind, namespace))
  const role = roleOf(kind)
  const isReconciled = role !== undefined && LIVING_ROLES.includes(role)
  const all = async (act: (object: KubeObject) => Promise<unknown>): Promise<void> => {
    const failures: string[] = []
    let done = 0
    const tell = (): void => setProgress({ done, total: objects.length, failures: [...failures] })
    tell()
    await inTurn(objects, AT_ONCE, async (object) => {
      await act(object).catch((error: unknown) => failures.push(`${fullName(object)}: ${messageOf(error)}`))
      done++
      tell()
    })
    if (failures.length === 0) onDone()
  }
  const pathOf = ({ metadata: { namespace: where, name = '' } }: KubeObject): string => `/k8s${objectPath(kind, where, name)}`
  const annotate = (annotations: Readonly<Record<string, string | null>>): Promise<void> =>
    all((object) =>
      api.send(
        'PATCH',
        `${pathOf(object)}?fieldManager=weft-console`,
        { metadata: { annotations } },
        { contentType: 'application/merge-patch+json' },
      ),
    )
  const remove = (): Promise<void> =>
    all((object) =>
      api.send('DELETE', pathOf(object), {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy: 'Background',
        // Not another object of the same name.
        preconditions: { uid: object.metadata.uid },
      }),
    )
  const isBusy = progress !== undefined && progress.done < progress.total
  return (
    <div className="actions" role="group" aria-label="Actions for the selected objects">
      <strong>{count(objects.length, 'object')} chosen</strong>
      {mayPatch === true && isReconciled && (
        <>
          <button type="button" disabled={isBusy} onClick={() => void annotate({ [RECONCILE_REQUESTED_AT]: new Date().toISOString() })}>
            Reconcile now
          </button>
          <button type="button" disabled={isBusy} onClick={() => void annotate({ [PAUSED]: 'true' })}>
            Pause
          </button>
          <button type="button" disabled={isBusy} onClick={() => void annotate({ [PAUSED]: null })}>
            Resume
          </button>
        </>
      )}
      {mayDelete === true && (
        <button type="button" className="danger" disabled={isBusy} onClick={() => setDeleting(true)}>
          Delete…
        </button>
      )}
      {mayPatch === false && mayDelete === false && (
        <span className="muted">You may not change all of them; select your namespace above.</span>
      )}
      <button type="button" onClick={onDone}>
        Choose none
      </button>
      {progress !== undefined && (
        <span role="status" className="muted">
          {progress.done} of {progress.total}
        </span>
      )}
      {progress !== undefined && progress.failures.length > 0 && <Failures failures={progress.failures} />}
      {deleting && (
        <DeleteAll
          kind={kind}
          objects={objects}
          onClose={() => setDeleting(false)}
          onDelete={() => {
            setDeleting(false)
            void remove()
          }}
        />
      )}
    </div>
  )
}

function Failures({ failures }: { readonly failures: readonly string[] }): ReactNode {
  return (
    <Notice tone="problem">
      {count(failures.length, 'object')} could not be changed:
      <ul>
        {failures.slice(0, MOST_FAILURES).map((failure) => (
          <li key={failure}>{failure}</li>
        ))}
      </ul>
    </Notice>
  )
}

interface DeleteAllProps {
  readonly kind: KindInfo
  readonly objects: readonly KubeObject[]
  readonly onClose: () => void
  readonly onDelete: () => void
}

function DeleteAll({ kind, objects, onClose, onDelete }: DeleteAllProps): ReactNode {
  const [typed, setTyped] = useState('')
  const wanted = `delete ${objects.length}`
  return (
    <Dialog title={`Delete ${count(objects.length, `${kind.kind} object`)}?`} onClose={onClose}>
      <ul>
        {objects.slice(0, MOST_NAMED).map((object) => (
          <li key={object.metadata.uid}>{fullName(object)}</li>
        ))}
        {objects.length > MOST_NAMED && <li>and {objects.length - MOST_NAMED} more</li>}
      </ul>
      <Notice tone="warning">
        Everything that was created for them is deleted as well, including external resources and their data, unless a policy keeps it. The
        page of each object shows what that is.
      </Notice>
      <TypedWord word={wanted} to="delete them" typed={typed} onType={setTyped} />
      <div className="buttons">
        <button type="button" className="danger" disabled={typed.trim() !== wanted} onClick={onDelete}>
          Delete
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
