import { useMutation, useQuery } from '@tanstack/react-query'
import { type KubeObject, StatusError } from '@weft/api'
import { type ReactNode } from 'react'
import type { Plan } from '../../contract.ts'
import { type KindInfo, objectPath } from '../kinds/kind-info.ts'
import { refOf } from '../objects/state.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Failure, Loading, Notice } from '../parts/notice.tsx'
import { fullName } from '../parts/object-link.tsx'
import { useConsole } from '../session/console.tsx'
import { PlanView } from './plan-view.tsx'

export interface DeleteDialogProps {
  readonly kind: KindInfo
  readonly object: KubeObject
  readonly onClose: () => void
}

/** Deletes after a look at what goes with it, and what stays. */
export function DeleteDialog({ kind, object, onClose }: DeleteDialogProps): ReactNode {
  const { api } = useConsole()
  const ref = refOf(object)
  const plan = useQuery({
    // The plan of the moment in which the dialog was opened: it must not change under the reader.
    queryKey: ['delete plan', object.metadata.uid],
    queryFn: ({ signal }) => api.send<Plan>('POST', '/console/plan', { delete: ref }, { signal }),
    gcTime: 0,
    staleTime: Infinity,
  })
  const remove = useMutation({
    mutationFn: () =>
      api.send('DELETE', `/k8s${objectPath(kind, object.metadata.namespace, object.metadata.name ?? '')}`, {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy: 'Background',
        // Not another object of the same name.
        preconditions: { uid: object.metadata.uid },
      }),
    onSuccess: onClose,
  })
  const unplanned = plan.error instanceof StatusError && (plan.error.code === 501 || plan.error.code === 403) ? plan.error.code : undefined
  return (
    <Dialog title={`Delete ${kind.kind} ${fullName(object)}?`} onClose={onClose} wide>
      {plan.isPending && <Loading what="what would go with it" />}
      {unplanned !== undefined && (
        <Notice tone="warning">
          {unplanned === 403
            ? 'What would go with it cannot be said: you may not see all that decides it.'
            : 'This console cannot say what would go with it.'}
        </Notice>
      )}
      {unplanned === undefined && <Failure error={plan.error} doing="What would go with it is not known" />}
      {plan.data !== undefined && <PlanView plan={plan.data} />}
      <Failure error={remove.error} doing="Not deleted" />
      <div className="buttons">
        <button type="button" className="danger" disabled={remove.isPending || plan.isPending} onClick={() => remove.mutate()}>
          {remove.isPending ? 'Deleting…' : 'Delete'}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
