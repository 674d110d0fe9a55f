import { lazy, type ReactNode } from 'react'
import { KindPage } from '../pages/kind/kind-page.tsx'
import { ObjectPage } from '../pages/object/object-page.tsx'
import { Overview } from '../pages/overview/overview.tsx'
import { Fallible } from '../parts/fallible.tsx'
import { Loading, Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import type { Route } from '../routing/route.ts'
import { useConsole } from '../session/console.tsx'

const Catalogue = lazy(() => import('../pages/catalogue/catalogue.tsx'))
const NewClaim = lazy(() => import('../pages/new-claim/new-claim.tsx'))
const Packages = lazy(() => import('../pages/packages/packages.tsx'))

export function CurrentPage({ route }: { readonly route: Route }): ReactNode {
  return (
    // Another page begins anew, whatever happened to this one; another view of it does not.
    <Fallible
      key={route.page === 'kind' ? `${route.group}/${route.plural}` : JSON.stringify({ ...route, view: undefined, edit: undefined })}
      what="the page"
    >
      {pageOf(route)}
    </Fallible>
  )
}

function pageOf(route: Route): ReactNode {
  switch (route.page) {
    case 'overview':
      return <Overview />
    case 'catalogue':
      return <Catalogue />
    case 'packages':
      return <Packages />
    case 'kind':
    case 'new':
    case 'object':
      return (
        <PageOfKind
          key={`${route.page} ${'name' in route ? `${route.namespace ?? ''}/${route.name}` : ''} ${route.group}/${route.plural}`}
          route={route}
        />
      )
    case 'unknown':
      return (
        <Page title="Not found">
          <Notice tone="info">There is no page at {route.path}.</Notice>
        </Page>
      )
  }
}

/** Pages about a kind need to know it first. */
function PageOfKind({ route }: { readonly route: Extract<Route, { readonly plural: string }> }): ReactNode {
  const { kinds } = useConsole()
  const kind = kinds.byPlural(route.group, route.plural)
  if (kind === undefined)
    return kinds.loaded ? (
      <Page title="Not found">
        <Notice tone="info">
          The server has no kind {route.plural}
          {route.group === '' ? '' : ` in the group ${route.group}`}. It may belong to a definition or provider that is not installed, or
          not active.
        </Notice>
      </Page>
    ) : (
      <Loading what="kinds" />
    )
  switch (route.page) {
    case 'kind':
      return <KindPage kind={kind} route={route} />
    case 'new':
      return <NewClaim kind={kind} />
    case 'object':
      return <ObjectPage kind={kind} route={route} />
  }
}
