import { useMutation, useQuery } from '@tanstack/react-query'
import { type KubeObject, StatusError } from '@weft/api'
import { type ReactNode, useState } from 'react'
import type { Plan } from '../../contract.ts'
import { type KindInfo, objectPath } from '../../kinds/kind-info.ts'
import { refOf } from '../../world/state.ts'
import { count } from '../objects/words.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Failure, Loading, Notice } from '../parts/notice.tsx'
import { TypedWord } from '../parts/typed-word.tsx'
import { fullName } from '../parts/object-link.tsx'
import { useConsole } from '../session/console.tsx'
import { PlanView } from './plan-view.tsx'

const MOST_NAMED = 5

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
  const [typed, setTyped] = useState('')
  const destroyed = (plan.data?.changes ?? []).flatMap(({ destroys }) => destroys ?? [])
  // Nobody knows what goes: that may be as bad.
  const isGrave = destroyed.length > 0 || plan.isError
  const isMeant = !isGrave || typed.trim() === object.metadata.name
  const unplanned = plan.error instanceof StatusError && (plan.error.code === 501 || plan.error.code === 403) ? plan.error.code : undefined
  return (
    <Dialog title={`Delete ${kind.kind} ${fullName(object)}?`} onClose={onClose} wide>
      {plan.isPending && <Loading what="what else would be deleted" />}
      {unplanned !== undefined && (
        <Notice tone="warning">
          {unplanned === 403
            ? 'What else would be deleted cannot be shown: you may not see everything that it depends on.'
            : 'This console cannot show what else would be deleted.'}
        </Notice>
      )}
      {unplanned === undefined && <Failure error={plan.error} doing="What else would be deleted is not known" />}
      {plan.data !== undefined && <PlanView plan={plan.data} />}
      {destroyed.length > 0 && (
        <Notice tone="warning">
          {destroyed.length === 1 ? 'The external resource ' : `${count(destroyed.length, 'external resource')} (`}
          <strong>{destroyed.slice(0, MOST_NAMED).join(', ')}</strong>
          {destroyed.length > MOST_NAMED && ' …'}
          {destroyed.length === 1 ? ' goes' : ') go'} with it, and all data in it. That cannot be undone.
        </Notice>
      )}
      {isGrave && <TypedWord word={object.metadata.name ?? ''} to="delete it" typed={typed} onType={setTyped} />}
      <Failure error={remove.error} doing="Not deleted" />
      <div className="buttons buttons-in-view">
        <button type="button" className="danger" disabled={remove.isPending || plan.isPending || !isMeant} onClick={() => remove.mutate()}>
          {remove.isPending ? 'Deleting…' : 'Delete'}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
