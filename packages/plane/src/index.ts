/**
 * What a control plane consists of, whatever it runs on: which controllers, which admission, which accounts, and the transport that joins controllers to the
 * embedded server. Assembled by `controlplane` (`weft up`, `weft start`), by `plan`, and by tests; it starts no server and knows no provider.
 */
export { type Account, accountAuthorizer, accountUser } from './accounts/account.ts'
export { inPlan, inPlane } from './admission/plane-admission.ts'
export type { AdmissionSubject } from './admission/admission-subject.ts'
export { judge } from './admission/weft-admission.ts'
export { DELEGATING, lacksRights, mayWritePipelines } from './authority/author-rights.ts'
export type { Author, Authority } from './authority/authority.ts'
export { embeddedAuthority } from './authority/embedded-authority.ts'
export {
  type LastingWorld,
  type PlaneWorld,
  startPlanControllers,
  startPlaneControllers,
  type Stop,
} from './controllers/plane-controllers.ts'
export { COLLECTORS } from './guard/deletion-guard.ts'
export type { Existing } from './guard/existing.ts'
export { type Defined, definedIn, guard } from './guard/guard.ts'
export { mayBeInUse, refuseInUse } from './guard/usage-guard.ts'
export { inProcessTransport } from './transport/in-process-transport.ts'
