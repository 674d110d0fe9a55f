import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { type KubeObject, StatusError } from '@weft/api'
import { type ReactNode, useEffect, useState } from 'react'
import { Failure, Loading } from '../../parts/notice.tsx'
import { useAccess } from '../../session/access.ts'
import { useConsole } from '../../session/console.tsx'

interface SecretObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
}

export interface ConnectionProps {
  readonly namespace: string
  readonly name: string
  /** Changes whenever the secret may have changed: it is looked at again. */
  readonly version: string
}

/**
 * The keys of a connection secret. Values are not kept: only their sizes are, until somebody who may read them asks for one, and then for
 * half a minute.
 */
export function Connection({ namespace, name, version }: ConnectionProps): ReactNode {
  const { api } = useConsole()
  const path = `/k8s/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`
  const mayRead = useAccess({ verb: 'get', group: '', resource: 'secrets', namespace, name })
  const { data, error, isPending } = useQuery({
    queryKey: ['connection', path, version],
    placeholderData: keepPreviousData,
    enabled: mayRead === true,
    retry: false,
    staleTime: 5000,
    queryFn: async ({ signal }) => {
      const { data: values = {} } = await api.get<SecretObject>(path, { signal })
      return Object.entries(values).map(([key, value]) => ({ key, bytes: atob(value).length }))
    },
  })
  const missing = error instanceof StatusError && error.code === 404
  return (
    <section className="card" aria-labelledby="connection">
      <h2 id="connection">Connection</h2>
      <p className="muted">
        Secret{' '}
        <code>
          {namespace}/{name}
        </code>
      </p>
      {mayRead === false && <p className="calm">You may not read this secret.</p>}
      {mayRead !== false && isPending && <Loading what="the keys" />}
      {missing && <p className="calm">The secret has not been written yet.</p>}
      {!missing && <Failure error={error} doing="The secret cannot be read" />}
      {data !== undefined && (
        <dl className="facts secrets">
          {data.map(({ key, bytes }) => (
            <SecretValue key={key} path={path} name={key} bytes={bytes} />
          ))}
        </dl>
      )}
      {data?.length === 0 && <p className="calm">The secret has no keys yet.</p>}
    </section>
  )
}

const SHOWN_MS = 30_000

function SecretValue({ path, name, bytes }: { readonly path: string; readonly name: string; readonly bytes: number }): ReactNode {
  const { api } = useConsole()
  const [value, setValue] = useState<string>()
  const reveal = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      const { data = {} } = await api.get<SecretObject>(path)
      setValue(textOf(data[name] ?? ''))
    },
  })
  useEffect(() => {
    if (value === undefined) return
    const timer = setTimeout(() => setValue(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [value])
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value === undefined ? (
          <span aria-label={`hidden, ${bytes} bytes`} role="img">
            ••••••••
          </span>
        ) : (
          <code className="secret-value">{value}</code>
        )}{' '}
        {value === undefined ? (
          <button type="button" className="small" aria-label={`Reveal ${name}`} disabled={reveal.isPending} onClick={() => reveal.mutate()}>
            Reveal
          </button>
        ) : (
          <button type="button" className="small" aria-label={`Hide ${name}`} onClick={() => setValue(undefined)}>
            Hide
          </button>
        )}
        <Failure error={reveal.error} />
      </dd>
    </div>
  )
}

const textOf = (base64: string): string => new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.codePointAt(0) ?? 0))
