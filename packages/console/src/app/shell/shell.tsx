import { type ReactNode, useEffect, useState } from 'react'
import { OFFERING_ROLES, roleOf } from '../../kinds/kind-info.ts'
import { isPackage, isPackageRevision } from '../objects/installed-packages.ts'
import { Link, useRoute } from '../routing/navigation.tsx'
import type { Route } from '../routing/route.ts'
import { type Kinds, useConsole } from '../session/console.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { CurrentPage } from './current-page.tsx'
import { Namespaces } from './namespaces.tsx'
import { Search } from './search.tsx'
import { useTheme } from './theme.ts'

const PLACES = [
  { title: 'Overview', to: { page: 'overview' } },
  { title: 'Catalogue', to: { page: 'catalogue' } },
  { title: 'Packages and kinds', to: { page: 'packages' } },
] as const

type Place = (typeof PLACES)[number]['to']['page']

/** Under which of the places a page belongs: that of an object is where its kind is listed. */
function placeOf(route: Route, kinds: Kinds): Place | undefined {
  switch (route.page) {
    case 'catalogue':
    case 'new':
      return 'catalogue'
    case 'packages':
      return 'packages'
    case 'kind':
    case 'object': {
      const kind = kinds.byPlural(route.group, route.plural)
      if (kind !== undefined && (isPackage(kind) || isPackageRevision(kind))) return 'packages'
      const role = kind && roleOf(kind)
      return role !== undefined && OFFERING_ROLES.includes(role) ? 'catalogue' : 'overview'
    }
    case 'overview':
      return 'overview'
    case 'unknown':
      return undefined
  }
}

/** What surrounds every page. */
export function Shell(): ReactNode {
  const route = useRoute()
  const { kinds } = useConsole()
  const place = placeOf(route, kinds)
  const [searching, setSearching] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      setSearching(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="bar">
        <Link to={{ page: 'overview' }} className="brand" aria-label="Weft, overview">
          <Logo /> <span>Weft</span>
        </Link>
        <nav aria-label="Main">
          <ul>
            {PLACES.map(({ title, to }) => (
              <li key={title}>
                <Link to={to} aria-current={place === to.page ? (route.page === to.page ? 'page' : 'true') : undefined}>
                  {title}
                </Link>
              </li>
            ))}
            <li>
              <a href="/docs/" target="_blank" rel="noopener">
                Manual
              </a>
            </li>
          </ul>
        </nav>
        <button type="button" className="search-button" onClick={() => setSearching(true)} aria-keyshortcuts="/">
          Search <kbd>/</kbd>
        </button>
        <Namespaces />
        <UserMenu />
      </header>
      <ConnectionNotice />
      <main id="main" tabIndex={-1}>
        <CurrentPage route={route} />
      </main>
      {searching && <Search onClose={() => setSearching(false)} />}
    </>
  )
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) || target.closest('dialog') !== null)

/** Accounts of `weft user` are service accounts: `system:serviceaccount:NAMESPACE:weft-user-ada` is ada to everybody. */
const shortName = (user: string): string => /^system:serviceaccount:[^:]+:(?:weft-user-)?(.+)$/.exec(user)?.[1] ?? user

function UserMenu(): ReactNode {
  const { session, signOut } = useConsole()
  const [theme, nextTheme] = useTheme()
  return (
    <details
      className="menu"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.currentTarget.open = false
        event.currentTarget.querySelector('summary')?.focus()
      }}
    >
      <summary aria-label={`Signed in as ${session.user}`}>{shortName(session.user)}</summary>
      <div className="menu-body card">
        <p>
          Signed in as <strong>{session.user}</strong>
          <br />
          <span className="muted">
            {session.server.address} · {session.server.version}
          </span>
        </p>
        <button type="button" onClick={nextTheme}>
          Colours: {theme}
        </button>
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </div>
    </details>
  )
}

function Logo(): ReactNode {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#14532d" />
      <g fill="none" strokeWidth="3.2" strokeLinecap="round">
        <path stroke="#86efac" d="M6 11h20M6 21h20" />
        <path stroke="#fff" d="M11 6v3m0 4v13M21 6v13m0 4v3" />
      </g>
    </svg>
  )
}
