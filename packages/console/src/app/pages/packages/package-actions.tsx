import { type ReactNode, useState } from 'react'
import type { InstalledPackage } from '../../objects/installed-packages.ts'
import { useAccess, wishFor } from '../../session/access.ts'
import { useConsole } from '../../session/console.tsx'
import { InstallDialog } from './install-dialog.tsx'
import { ProcessLog } from './process-log.tsx'
import { UninstallDialog } from './uninstall-dialog.tsx'

/** Offered to those who may. */
export function InstallButton(): ReactNode {
  const { kinds } = useConsole()
  const [open, setOpen] = useState(false)
  const provider = kinds.byKind('pkg.crossplane.io', 'Provider')
  const mayInstall = useAccess(provider && wishFor('create', provider))
  if (mayInstall !== true) return null
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        Install…
      </button>
      {open && <InstallDialog onClose={() => setOpen(false)} />}
    </>
  )
}

type Opened = 'upgrade' | 'uninstall' | 'log'

export function PackageActions({ installed }: { readonly installed: InstalledPackage }): ReactNode {
  const { kind, object } = installed
  const [opened, setOpened] = useState<Opened>()
  const name = object.metadata.name ?? ''
  const mayChange = useAccess(wishFor('patch', kind, undefined, name))
  const mayDelete = useAccess(wishFor('delete', kind, undefined, name))
  const mayRead = useAccess({ ...wishFor('get', kind, undefined, name), subresource: 'log' })
  const close = (): void => setOpened(undefined)
  return (
    <div className="buttons buttons-small">
      {mayRead === true && kind.kind !== 'Configuration' && (
        <button type="button" aria-label={`Output of ${name}`} onClick={() => setOpened('log')}>
          Output
        </button>
      )}
      {mayChange === true && (
        <button type="button" aria-label={`Upgrade ${name}`} onClick={() => setOpened('upgrade')}>
          Upgrade…
        </button>
      )}
      {mayDelete === true && (
        <button type="button" aria-label={`Uninstall ${name}`} onClick={() => setOpened('uninstall')}>
          Uninstall…
        </button>
      )}
      {opened === 'upgrade' && <InstallDialog upgrade={installed} onClose={close} />}
      {opened === 'uninstall' && <UninstallDialog installed={installed} onClose={close} />}
      {opened === 'log' && <ProcessLog kind={kind.kind} name={name} onClose={close} />}
    </div>
  )
}
