import { definitionController } from './definition/controller.ts'
import type { DefinitionServices } from './definition/services.ts'
import { publicationAdapter } from './requirement/publication.ts'
import { compositeDefinitionAdapter } from './composite/definition.ts'
import { createKindIndex } from './composite/kind-index.ts'
import { APPLICATION, INFRASTRUCTURE } from './composite/composite-type.ts'

/**
 * Starts the controllers of definitions and publications; they start those of composites, applications and requirements. Resolves when they
 * are at work, or wanted while another process leads. Answers how to give back what they share, once the manager has stopped.
 */
export async function startDefinitionControllers(services: DefinitionServices): Promise<() => Promise<void>> {
  const index = createKindIndex(services.informers, () => services.mapper?.invalidate())
  await index.synced
  await Promise.all([
    services.engine.start(definitionController(compositeDefinitionAdapter(APPLICATION, services, index), services)),
    services.engine.start(definitionController(compositeDefinitionAdapter(INFRASTRUCTURE, services, index), services)),
    services.engine.start(definitionController(publicationAdapter(services), services)),
  ])
  return () => index.stop()
}
