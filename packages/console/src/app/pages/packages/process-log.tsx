import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import type { PackageLog } from '../../../contract.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure, Loading } from '../../parts/notice.tsx'
import { useConsole } from '../../session/console.tsx'

const REFRESH_MS = 2000

/** The end of what the process of a package prints, live while it is looked at. It stays at the end unless one scrolls up. */
export function ProcessLog({
  kind,
  name,
  onClose,
}: {
  readonly kind: string
  readonly name: string
  readonly onClose: () => void
}): ReactNode {
  const { api } = useConsole()
  const { data, error, isPending } = useQuery({
    queryKey: ['log', kind, name],
    queryFn: ({ signal }) => api.get<PackageLog>(`/console/logs?${new URLSearchParams({ kind, name }).toString()}`, { signal }),
    refetchInterval: REFRESH_MS,
    retry: false,
    gcTime: 0,
  })
  const box = useRef<HTMLPreElement>(null)
  const atEnd = useRef(true)
  useEffect(() => {
    const element = box.current
    if (element !== null && atEnd.current) element.scrollTop = element.scrollHeight
  }, [data?.text])
  return (
    <Dialog title={`Output of ${name}`} onClose={onClose} wide>
      {isPending && <Loading what="the output" />}
      <Failure error={error} doing="It cannot be read" />
      {data !== undefined && data.text === undefined && (
        <p className="calm">
          {name} has printed nothing in a process of its own. Providers that come with Weft run inside the control plane, and print where{' '}
          <code>weft up</code> prints.
        </p>
      )}
      {data?.text !== undefined && (
        <pre
          ref={box}
          className="log"
          tabIndex={0}
          role="log"
          aria-label={`Output of ${name}`}
          onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
            atEnd.current = scrollTop + clientHeight >= scrollHeight - 4
          }}
        >
          {data.text}
        </pre>
      )}
    </Dialog>
  )
}
