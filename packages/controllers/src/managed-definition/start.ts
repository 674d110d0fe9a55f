import type { DefinitionServices } from '../definition/services.ts'
import { definitionController } from '../definition/controller.ts'
import { activationController } from './activation.ts'
import { ensureDefaultPolicy } from './default-policy.ts'
import { managedDefinitionAdapter } from './managed-definition.ts'
import type { SchemaSource } from './schema-source.ts'

export interface ManagedDefinitionOptions {
  /** What the default policy activates when it is first made; none: no default policy (M9). */
  readonly activations?: readonly string[] | undefined
  /** Knows the schemas of definitions that come without. */
  readonly schemas?: SchemaSource | undefined
}

/** Starts the controllers of managed kinds. Resolves when they are at work, or wanted while another process leads. */
export async function startManagedDefinitionControllers(
  services: DefinitionServices,
  { activations = ['*'], schemas }: ManagedDefinitionOptions = {},
): Promise<void> {
  await ensureDefaultPolicy(services.client, activations)
  await Promise.all([
    services.engine.start(definitionController(managedDefinitionAdapter(schemas), services)),
    services.engine.start(activationController(services)),
  ])
}
