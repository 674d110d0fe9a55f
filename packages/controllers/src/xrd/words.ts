import { isJsonObject, messageOf, statusOf } from '@weft/api'
import type { DefinitionWords } from '../definition/definition.ts'
import { DefinitionError } from '../definition/definition.ts'
import { RenderError } from './render-crds.ts'
import { type CompositeResourceDefinition, referenceable } from './xrd.ts'

/** What the two sides of a definition call themselves (K14, K15). */
interface Side {
  readonly condition: 'Established' | 'Offered'
  readonly noun: 'CompositeResource' | 'CompositeResourceClaim'
  readonly about: 'composite resource' | 'composite resource claim'
  readonly reasons: { readonly putUp: string; readonly takeDown: string }
  readonly controller: 'compositeResourceType' | 'compositeResourceClaimType'
  kindOf(xrd: CompositeResourceDefinition): string
}

export const DEFINED: Side = {
  condition: 'Established',
  noun: 'CompositeResource',
  about: 'composite resource',
  reasons: { putUp: 'EstablishComposite', takeDown: 'TerminateComposite' },
  controller: 'compositeResourceType',
  kindOf: ({ spec }) => spec.names.kind,
}

export const OFFERED: Side = {
  condition: 'Offered',
  noun: 'CompositeResourceClaim',
  about: 'composite resource claim',
  reasons: { putUp: 'OfferClaim', takeDown: 'RedactClaim' },
  controller: 'compositeResourceClaimType',
  kindOf: ({ spec }) => spec.claimNames?.kind ?? '',
}

const NO_TYPE = { apiVersion: '', kind: '' }

/** Crossplane's words: conditions tell only of what is reached; what is waited for, and what failed, is told in events. */
export const crossplaneWords = (side: Side): DefinitionWords<CompositeResourceDefinition> => ({
  condition(progress) {
    if (progress === 'Established') return { type: side.condition, status: 'True', reason: `Watching${side.noun}` }
    return progress === 'Terminating' ? { type: side.condition, status: 'False', reason: `Terminating${side.noun}` } : undefined
  },
  event(news) {
    const { putUp, takeDown } = side.reasons
    switch (news.type) {
      case 'created':
      case 'updated':
        return { type: 'Normal', reason: putUp, message: `Applied ${side.about} CustomResourceDefinition: ${news.crd}` }
      case 'pending':
        return { type: 'Normal', reason: putUp, message: `waiting for ${side.about} CustomResourceDefinition to be established` }
      case 'draining':
        return { type: 'Normal', reason: takeDown, message: `waiting for defined ${side.about}s to be deleted` }
      case 'refused':
        return { type: 'Warning', ...refusal(side, news.error) }
    }
  },
  fields(definition, progress) {
    if (progress !== 'Established') return {}
    const { controllers } = statusOf(definition)
    const before = isJsonObject(controllers) ? controllers : {}
    const { name = '' } = referenceable(definition) ?? {}
    const type = { apiVersion: `${definition.spec.group}/${name}`, kind: side.kindOf(definition) }
    return {
      controllers: { compositeResourceType: NO_TYPE, compositeResourceClaimType: NO_TYPE, ...before, [side.controller]: type },
    }
  },
})

function refusal(side: Side, error: unknown): { readonly reason: string; readonly message: string } {
  const why = messageOf(error)
  if (error instanceof RenderError) return { reason: 'RenderCRD', message: `cannot render ${side.about} CustomResourceDefinition: ${why}` }
  const what = error instanceof DefinitionError && error.code === 'Rejected' ? `cannot create object: ${why}` : why
  return { reason: side.reasons.putUp, message: `cannot apply rendered ${side.about} CustomResourceDefinition: ${what}` }
}
