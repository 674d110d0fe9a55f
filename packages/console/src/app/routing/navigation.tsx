import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { formatRoute, parseRoute, type Route } from './route.ts'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}

export function navigate(to: Route, { replace = false }: { readonly replace?: boolean } = {}): void {
  window.history[replace ? 'replaceState' : 'pushState'](null, '', formatRoute(to))
  if (!replace) window.scrollTo(0, 0)
  for (const listener of listeners) listener()
}

/** The route of the address bar. */
export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => `${window.location.pathname}?${window.location.search.slice(1)}`)
  return useMemo(() => {
    const at = address.indexOf('?')
    return parseRoute(address.slice(0, at), address.slice(at))
  }, [address])
}

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: Route
  readonly children: ReactNode
}

/** A real link: it can be opened in another tab, copied, and followed with the keyboard. */
export function Link({ to, children, onClick, ...rest }: LinkProps): ReactNode {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !plain) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a href={formatRoute(to)} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
