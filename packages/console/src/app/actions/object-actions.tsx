import { useMutation } from '@tanstack/react-query'
import { isPaused, type KubeObject, PAUSED, RECONCILE_REQUESTED_AT } from '@weft/api'
import { type ReactNode, useState } from 'react'
import { type KindInfo, LIVING_ROLES, objectPath, roleOf } from '../../kinds/kind-info.ts'
import { Failure } from '../parts/notice.tsx'
import { navigate } from '../routing/navigation.tsx'
import { routeTo } from '../parts/object-link.tsx'
import { useAccess, wishFor } from '../session/access.ts'
import { useConsole } from '../session/console.tsx'
import { DeleteDialog } from './delete-dialog.tsx'

export interface ObjectActionsProps {
  readonly kind: KindInfo
  readonly object: KubeObject
}

/** What the user may do to this object; nothing else is offered. */
export function ObjectActions({ kind, object }: ObjectActionsProps): ReactNode {
  const { api } = useConsole()
  const [deleting, setDeleting] = useState(false)
  const { namespace, name = '' } = object.metadata
  const mayPatch = useAccess(wishFor('patch', kind, namespace, name))
  const mayUpdate = useAccess(wishFor('update', kind, namespace, name))
  const mayDelete = useAccess(wishFor('delete', kind, namespace, name))
  const role = roleOf(kind)
  const reconciled = role !== undefined && (LIVING_ROLES.includes(role) || role === 'definition')
  const annotate = useMutation({
    mutationFn: (annotations: Readonly<Record<string, string | null>>) =>
      api.send(
        'PATCH',
        `/k8s${objectPath(kind, namespace, name)}?fieldManager=weft-console`,
        { metadata: { annotations } },
        { contentType: 'application/merge-patch+json' },
      ),
  })
  const paused = isPaused(object)
  return (
    <div className="actions" role="group" aria-label="Actions">
      {mayPatch && reconciled && (
        <>
          <button
            type="button"
            disabled={annotate.isPending}
            onClick={() => annotate.mutate({ [RECONCILE_REQUESTED_AT]: new Date().toISOString() })}
          >
            Reconcile now
          </button>
          {role !== 'group' && (
            <button type="button" disabled={annotate.isPending} onClick={() => annotate.mutate({ [PAUSED]: paused ? null : 'true' })}>
              {paused ? 'Resume' : 'Pause'}
            </button>
          )}
        </>
      )}
      {mayUpdate && (
        <button type="button" onClick={() => navigate({ ...routeTo(kind, namespace, name), view: 'yaml', edit: true }, { replace: true })}>
          Edit YAML
        </button>
      )}
      {mayDelete && (
        <button type="button" className="danger" onClick={() => setDeleting(true)}>
          Delete…
        </button>
      )}
      <Failure error={annotate.error} />
      {deleting && <DeleteDialog kind={kind} object={object} onClose={() => setDeleting(false)} />}
    </div>
  )
}
