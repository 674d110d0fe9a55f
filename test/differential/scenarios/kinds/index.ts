import type { Scenario } from '../../scenario.ts'
import { accessReviewsScenario } from './access-reviews.ts'
import { clientSideApplyScenario } from './client-side-apply.ts'
import { eventsScenario } from './events.ts'
import { leasesScenario } from './leases.ts'
import { rolesScenario } from './roles.ts'
import { secretsScenario } from './secrets.ts'
import { serviceAccountsScenario } from './service-accounts.ts'
import { signingRequestsScenario } from './signing-requests.ts'
import { webhooksScenario } from './webhooks.ts'

/** One for each noun that has rules of its own. */
export const kindScenarios: readonly Scenario[] = [
  secretsScenario,
  serviceAccountsScenario,
  leasesScenario,
  eventsScenario,
  rolesScenario,
  accessReviewsScenario,
  signingRequestsScenario,
  webhooksScenario,
  clientSideApplyScenario,
]
