import { badRequest, DEPENDENTS_PATH, type DependentsAnswer, isJsonObject, type KubeObject } from '@weft/api'
import { type Authorizer, resourceAttributes, type UserInfo } from '../auth/index.ts'
import type { ResourceType } from '../registry/index.ts'
import { readJson } from './body/read-json.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import type { PathHandler } from './server.ts'

/** An object that has owners, in the version in which it is kept. */
export interface Dependent {
  readonly type: ResourceType
  readonly object: KubeObject
}

const MOST_BYTES = 3 * 1024 * 1024

/** Answers what depends on objects: who plans a deletion would have to look at everything there is otherwise. */
export function dependentsPath(dependentsOf: (uid: string) => readonly Dependent[], authorizer: Authorizer): PathHandler {
  return (request, _info, user) =>
    request.path === DEPENDENTS_PATH && request.method === 'POST' ? answer(request, user, { dependentsOf, authorizer }) : undefined
}

async function answer(
  { body }: ApiRequest,
  user: UserInfo,
  { dependentsOf, authorizer }: { readonly dependentsOf: (uid: string) => readonly Dependent[]; readonly authorizer: Authorizer },
): Promise<ApiResponse> {
  const mayGet = ({ type, object: { metadata } }: Dependent): boolean =>
    authorizer.authorize(
      resourceAttributes(user, {
        verb: 'get',
        apiGroup: type.group,
        apiVersion: type.version,
        resource: type.plural,
        namespace: metadata.namespace ?? '',
        name: metadata.name ?? '',
      }),
    ).allowed
  const items = uidsIn(await readJson(body, MOST_BYTES))
    .flatMap((uid) => dependentsOf(uid))
    .filter(mayGet)
    .map(({ type, object: { metadata } }) => ({
      apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`,
      kind: type.kind,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      name: metadata.name ?? '',
    }))
  return {
    status: 200,
    body: { kind: 'bytes', contentType: 'application/json', bytes: JSON.stringify({ items } satisfies DependentsAnswer) },
  }
}

function uidsIn(question: unknown): readonly string[] {
  const uids = isJsonObject(question) ? question['uids'] : undefined
  if (Array.isArray(uids) && uids.every((uid) => typeof uid === 'string')) return [...new Set(uids)]
  throw badRequest('send the uids of the owners: {"uids": ["…"]}')
}
