import { useMutation, useQuery } from '@tanstack/react-query'
import type { KubeObject } from '@weft/api'
import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react'
import type { PackageContents } from '../../../contract.ts'
import { objectPath } from '../../../kinds/kind-info.ts'
import type { InstalledPackage } from '../../objects/installed-packages.ts'
import { definesKinds, type PackagePlan, planPackage } from '../../objects/package-plan.ts'
import { count } from '../../objects/words.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure, Loading, Notice } from '../../parts/notice.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useWatched } from '../../session/use-knowledge.ts'
import { PlannedKinds } from './planned-kinds.tsx'
import { useObjectCounts } from './use-object-counts.ts'

const APPLY = 'application/apply-patch+yaml'

/** Installs a package, or another version of one, after a look into it. Nothing is written before that. */
export function InstallDialog({ upgrade, onClose }: { readonly upgrade?: InstalledPackage; readonly onClose: () => void }): ReactNode {
  const { api } = useConsole()
  const [typed, setTyped] = useState(upgrade?.source ?? '')
  const field = useId()
  const look = useMutation({ mutationFn: (source: string) => api.send<PackageContents>('POST', '/console/package', { source }) })
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    look.mutate(typed)
  }
  return (
    <Dialog title={upgrade === undefined ? 'Install a package' : `Upgrade ${upgrade.object.metadata.name ?? ''}`} onClose={onClose} wide>
      <form className="source-form" onSubmit={onSubmit}>
        <label htmlFor={field}>Where it is</label>
        <input
          id={field}
          data-focus-first
          autoComplete="off"
          spellCheck={false}
          placeholder="registry.example.org/team/provider-example:v1.2.0"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            look.reset()
          }}
        />
        <button type="submit" disabled={typed.trim() === '' || look.isPending}>
          Look into it
        </button>
      </form>
      <Failure error={look.error} doing="The package cannot be inspected" />
      {look.isPending && <Loading what="the package" />}
      {look.data !== undefined && <Contents key={look.data.source} contents={look.data} upgrade={upgrade} onClose={onClose} />}
      {look.data === undefined && (
        <div className="buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      )}
    </Dialog>
  )
}

interface ContentsProps {
  readonly contents: PackageContents
  readonly upgrade: InstalledPackage | undefined
  readonly onClose: () => void
}

function Contents({ contents, upgrade, onClose }: ContentsProps): ReactNode {
  const world = useWorld()
  const { api, kinds } = useConsole()
  const name = upgrade?.object.metadata.name ?? contents.name
  const objectsOf = useObjectCounts()
  useWatched(definesKinds)
  const plan = useMemo(() => planPackage(world, objectsOf, contents, name), [world, objectsOf, contents, name])
  const kind = kinds.byKind('pkg.crossplane.io', contents.type)
  const path = kind && `/k8s${objectPath(kind, undefined, name)}?fieldManager=weft-console&force=true`
  const wanted: KubeObject = {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: contents.type,
    metadata: { name },
    ...{ spec: { package: contents.source } },
  }
  const write = (dryRun: boolean): Promise<KubeObject> =>
    api.send('PATCH', `${path ?? ''}${dryRun ? '&dryRun=All' : ''}`, wanted, { contentType: APPLY })
  const tried = useQuery({
    queryKey: ['package dry run', wanted],
    queryFn: () => write(true),
    enabled: path !== undefined,
    retry: false,
    gcTime: 0,
  })
  const install = useMutation({ mutationFn: () => write(false), onSuccess: onClose })
  const wrongType = upgrade !== undefined && upgrade.object.kind !== contents.type
  const refused = wrongType || tried.error !== null
  return (
    <>
      <p>
        {contents.type} <strong>{name}</strong> {summaryOf(plan, contents)}
      </p>
      {wrongType && (
        <Notice tone="problem">
          {name} is a {upgrade.object.kind}, and this package a {contents.type}: it cannot take its place.
        </Notice>
      )}
      <Failure error={wrongType ? null : tried.error} doing="The server would refuse it" />
      <Lost plan={plan} />
      <PlannedKinds kinds={plan.kinds} />
      <Dependencies plan={plan} />
      {contents.type === 'Provider' && (
        <p className="muted">A provider runs code with rights on its kinds. Install only packages that you trust.</p>
      )}
      <Failure error={install.error} doing="Not installed" />
      <div className="buttons">
        <button
          type="button"
          className="primary"
          disabled={refused || tried.isPending || install.isPending}
          onClick={() => install.mutate()}
        >
          {plan.replaces === undefined ? 'Install' : 'Upgrade'}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </>
  )
}

const summaryOf = ({ replaces }: PackagePlan, { source, others }: PackageContents): ReactNode => (
  <>
    {replaces === undefined ? 'would be installed from' : `would change from ${replaces.source} to`} <code>{source}</code>
    {others.length > 0 && `, with ${count(others.length, 'further object')}`}.
  </>
)

/** What has objects and loses its definition. The package manager holds that back; it should not come as a surprise. */
function Lost({ plan }: { readonly plan: PackagePlan }): ReactNode {
  const lost = plan.kinds.filter(({ change, objects }) => change === 'goes' && objects !== 0)
  if (lost.length === 0) return null
  return (
    <Notice tone="warning">
      {lost.map(({ kind }) => kind).join(', ')} {lost.length === 1 ? 'is' : 'are'} no longer part of it and in use: objects of{' '}
      {lost.length === 1 ? 'that kind' : 'those kinds'} would have nobody to look after them.
    </Notice>
  )
}

function Dependencies({ plan: { dependencies } }: { readonly plan: PackagePlan }): ReactNode {
  if (dependencies.length === 0) return null
  return (
    <>
      <h3>Needs</h3>
      <ul className="plain">
        {dependencies.map((dependency) => (
          <li key={dependency.package}>
            {dependency.type} <code>{dependency.package}</code> <span className="muted">{dependency.version}</span>{' '}
            <span className="pill">{dependency.isInstalled ? 'installed' : 'would be installed, too'}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
