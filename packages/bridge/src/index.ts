/**
 * Managed resources carried out by Terraform's providers: the ExternalClient of bridged kinds, and what has to outlive a crash.
 *
 * - a **record** is all that is known of one resource (state, private bytes, identity), kept in a Secret and written before anything depends on it
 * - a **journal** keeps what a provider answered until the API server has it
 * - an **operation** is a change that a provider carries out; it outlives the reconcile that began it, and is noted before it begins
 */
export { ALLOW_REPLACEMENT, COMPLETE } from './bridged-client.ts'
export { canonicalJson } from './canonical-json.ts'
export { statedName } from './format-name.ts'
export { fileJournal, type Journal } from './journal.ts'
export type { Point } from './journaled-store.ts'
export { statedIdentity } from './stated-identity.ts'
export { secretStateStore } from './state-store.ts'
export { Bridge, type BridgedConnector, type BridgeOptions, type PreviewQuestion } from './terraform-connector.ts'
