import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { objectPath } from '../../../kinds/kind-info.ts'
import type { InstalledPackage } from '../../objects/installed-packages.ts'
import { definesKinds, kindsOfPackage } from '../../objects/package-plan.ts'
import { count } from '../../objects/words.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure, Loading, Notice } from '../../parts/notice.tsx'
import { TypedWord } from '../../parts/typed-word.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useWatched } from '../../session/use-knowledge.ts'
import { PlannedKinds } from './planned-kinds.tsx'
import { useObjectCounts } from './use-object-counts.ts'

/** Takes a package away after a look at what goes with it. The server says whether it would refuse: what is in use is not taken away here. */
export function UninstallDialog({ installed, onClose }: { readonly installed: InstalledPackage; readonly onClose: () => void }): ReactNode {
  const world = useWorld()
  const { api } = useConsole()
  const { kind, object } = installed
  const name = object.metadata.name ?? ''
  const objectsOf = useObjectCounts()
  useWatched(definesKinds)
  const kinds = useMemo(() => kindsOfPackage(world, objectsOf, installed), [world, objectsOf, installed])
  const objects = kinds.reduce((sum, { objects: n = 0 }) => sum + n, 0)
  const [typed, setTyped] = useState('')
  const remove = (dryRun: boolean): Promise<unknown> =>
    api.send('DELETE', `/k8s${objectPath(kind, undefined, name)}${dryRun ? '?dryRun=All' : ''}`, {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      // Not another package of the same name.
      preconditions: { uid: object.metadata.uid },
    })
  const tried = useQuery({
    queryKey: ['uninstall', object.metadata.uid],
    queryFn: async () => (await remove(true)) ?? null,
    retry: false,
    gcTime: 0,
  })
  const uninstall = useMutation({ mutationFn: () => remove(false), onSuccess: onClose })
  return (
    <Dialog title={`Uninstall ${kind.kind} ${name}?`} onClose={onClose} wide>
      {tried.isPending && <Loading what="whether it can be uninstalled" />}
      <Failure error={tried.error} doing="The server would refuse it" />
      {tried.error === null && objects > 0 && (
        <Notice tone="warning">
          {count(objects, 'object')} of its kinds {objects === 1 ? 'is' : 'are'} deleted with it.
        </Notice>
      )}
      <p>
        {kinds.length === 0
          ? 'No kinds that you can see would be removed with it.'
          : `${count(kinds.length, 'kind')} ${kinds.length === 1 ? 'is' : 'are'} removed with it:`}
      </p>
      {kinds.length > 0 && <PlannedKinds kinds={kinds} />}
      {tried.isSuccess && <TypedWord word={name} to="uninstall it" typed={typed} onType={setTyped} />}
      <Failure error={uninstall.error} doing="Not uninstalled" />
      <div className="buttons">
        <button
          type="button"
          className="danger"
          disabled={!tried.isSuccess || typed.trim() !== name || uninstall.isPending}
          onClick={() => uninstall.mutate()}
        >
          Uninstall
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
