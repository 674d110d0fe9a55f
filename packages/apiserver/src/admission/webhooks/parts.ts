import type { Authorizer } from '../../auth/index.ts'
import type { CompiledList } from '../compiled-list.ts'
import type { MatchWorld } from '../matching/criteria.ts'
import type { CallParts } from './call-webhook.ts'
import type { Webhook } from './configurations.ts'

/** What both kinds of webhook admission work with. */
export interface WebhookParts extends CallParts {
  readonly webhooks: CompiledList<Webhook>
  readonly world: MatchWorld
  readonly authorizer: () => Authorizer
  /** Told when a webhook failed that is configured to be ignored then. */
  readonly onIgnored: (what: string, error: unknown) => void
  /** False while the server starts: nothing may depend on a webhook that could not be running yet. */
  readonly enabled: () => boolean
}
