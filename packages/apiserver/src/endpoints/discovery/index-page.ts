import { formatGroupVersion } from '@weft/api'
import type { Catalog } from '../../registry/index.ts'
import type { PathHandler } from '../server.ts'
import type { ApiResponse } from '../exchange.ts'
import { indentedJson, isRead, methodNotAllowed } from './document.ts'
import { servedGroups } from './served-groups.ts'

export interface IndexPageOptions {
  readonly catalog: Pick<Catalog, 'generation' | 'all'>
  /** What is served besides the API: health, metrics, OpenAPI, ... Asked for whenever the page is made. */
  readonly otherPaths: () => readonly string[]
}

/** `/`: every path one may start from. */
export function indexPageHandler({ catalog, otherPaths }: IndexPageOptions): PathHandler {
  let page: { readonly generation: number; readonly response: ApiResponse } | undefined
  return (request, { path }) => {
    if (path !== '/' && path !== '') return undefined
    if (!isRead(request)) throw methodNotAllowed()
    if (page?.generation !== catalog.generation) {
      const paths = [...new Set([...apiPaths(catalog), ...otherPaths()])].sort()
      page = { generation: catalog.generation, response: indentedJson({ paths }) }
    }
    return page.response
  }
}

function apiPaths(catalog: Pick<Catalog, 'all'>): string[] {
  const paths = ['/api', '/apis']
  for (const { name, versions } of servedGroups(catalog.all())) {
    if (name !== '') paths.push(`/apis/${name}`)
    for (const { version } of versions)
      paths.push(name === '' ? `/api/${version}` : `/apis/${formatGroupVersion({ group: name, version })}`)
  }
  return paths
}
