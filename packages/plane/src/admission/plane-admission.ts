import type { AdmissionPlugin, ApiServerOptions, Authorizer, EmbeddedApiServer, ServedKinds } from '@weft/apiserver'
import { createClient } from '@weft/client'
import { CORE_MANAGER } from '@weft/controllers'
import { accountAuthorizer, accountUser } from '../accounts/account.ts'
import { embeddedAuthority } from '../authority/embedded-authority.ts'
import { madeForThem } from '../authority/made-for-them.ts'
import { secretsOfProviders } from '../authority/secrets-of-providers.ts'
import { weftGuard } from '../guard/guard.ts'
import { type Annotate, inUsePlugin } from '../guard/in-use-plugin.ts'
import { inProcessTransport } from '../transport/in-process-transport.ts'
import { weftAdmission } from './weft-admission.ts'

/** Admission asks the server that it is part of; undefined until that is there. */
type Server = () => EmbeddedApiServer | undefined

/** What makes an embedded API server one of Weft's. */
type WeftsOwn = Required<Pick<ApiServerOptions, 'admission' | 'authorizers'>>

/** Until the server is there nobody asks it for anything. */
const NOTHING_SERVED: ServedKinds = { find: () => undefined, objects: () => [] }
const NOBODY_MAY: Authorizer = { authorize: () => ({ allowed: false, reason: '' }) }
const EVERYBODY_MAY: Authorizer = { authorize: () => ({ allowed: true, reason: '' }) }

/** All of Weft's plug-ins, in their order. One is asked in plans unless there is a reason why not. */
const PLUGINS: readonly {
  readonly inPlans: boolean
  make(kinds: () => ServedKinds, authorizer: () => Authorizer, annotate: Annotate): AdmissionPlugin
}[] = [
  { inPlans: true, make: weftAdmission },
  // It wants deletions to be confirmed. A plan is what somebody looks at before; what would be refused is asked of the real server.
  { inPlans: false, make: (kinds) => weftGuard(kinds) },
  { inPlans: false, make: (kinds, authorizer, annotate) => inUsePlugin(kinds, embeddedAuthority(kinds, authorizer), annotate) },
]

const pluginsOf = (server: Server, plugins: typeof PLUGINS, authorizer: () => Authorizer): readonly AdmissionPlugin[] =>
  plugins.map(({ make }) => make(() => server()?.kinds ?? NOTHING_SERVED, authorizer, annotateIn(server)))

/** As the account that keeps usages. */
const annotateIn =
  (server: Server): Annotate =>
  async (type, object, body) => {
    const handle = server()?.handle
    if (handle === undefined) return
    const transport = inProcessTransport(handle, accountUser('composition'))
    const { name = '', namespace } = object.metadata
    await createClient({ transport, fieldManager: CORE_MANAGER }).patch(type, { name, namespace }, { type: 'merge', body })
  }

/** Of a control plane. */
export const inPlane = (server: Server): WeftsOwn => ({
  admission: pluginsOf(server, PLUGINS, () => server()?.authorizer ?? NOBODY_MAY),
  authorizers: [
    accountAuthorizer,
    madeForThem(
      () => server()?.objects,
      () => server()?.rbac,
    ),
    secretsOfProviders(() => server()?.rbac),
  ],
})

/** Of the copy that a plan is made in. What the author of a change may do is for the real server to say, when the change is made. */
export const inPlan = (server: Server, { rightsKnown }: { readonly rightsKnown: boolean }): WeftsOwn => ({
  admission: pluginsOf(
    server,
    PLUGINS.filter(({ inPlans }) => inPlans),
    () => EVERYBODY_MAY,
  ),
  // Who may not see the rights of others cannot be told what those would be refused.
  authorizers: rightsKnown ? [] : [EVERYBODY_MAY],
})
