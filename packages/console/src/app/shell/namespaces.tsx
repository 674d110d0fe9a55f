import { useQuery } from '@tanstack/react-query'
import type { KubeList } from '@weft/api'
import { type ReactNode, useEffect, useState } from 'react'
import { useRoute } from '../routing/navigation.tsx'
import { useConsole } from '../session/console.tsx'

/** Where to look. Users with rights in a single namespace can type one that they may not list. */
export function Namespaces(): ReactNode {
  const { api, namespace, setNamespace } = useConsole()
  const [text, setText] = useState(namespace)
  useEffect(() => setText(namespace), [namespace])
  // Asked for when somebody is about to choose one.
  const isForm = useRoute().page === 'new'
  const [isUsed, setUsed] = useState(false)
  const { data = [] } = useQuery({
    enabled: isForm || isUsed,
    queryKey: ['namespaces'],
    retry: false,
    queryFn: async ({ signal }) =>
      (await api.get<KubeList>('/k8s/api/v1/namespaces', { signal })).items.map(({ metadata }) => metadata.name ?? ''),
  })
  return (
    <form
      className="namespaces"
      onSubmit={(event) => {
        event.preventDefault()
        setNamespace(text.trim())
      }}
    >
      <label>
        <span>Namespace</span>
        <input
          list="namespaces"
          placeholder="all"
          value={text}
          size={12}
          onFocus={() => setUsed(true)}
          onChange={(event) => {
            setText(event.target.value)
            if (event.target.value === '' || data.includes(event.target.value)) setNamespace(event.target.value)
          }}
          onBlur={() => setNamespace(text.trim())}
        />
      </label>
      <datalist id="namespaces">
        {data.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </form>
  )
}
