import type { KubeObject } from '@weft/api'
import { type ReactNode, useId, useMemo } from 'react'
import { type KindInfo, roleOf } from '../../../kinds/kind-info.ts'
import { classesFor, compositionsFor, decidesOffers, isDefaultClass } from '../../../world/makes.ts'
import { useWorld } from '../../session/console.tsx'
import { useKnowledge } from '../../session/use-knowledge.ts'
import { composedKind, type IntentDraft } from './intent.ts'

export interface OfferChoiceProps {
  readonly kind: KindInfo
  readonly draft: IntentDraft
  readonly onChange: (changes: Partial<IntentDraft>) => void
}

const DEFAULT = ''

/** What is taken when nothing is chosen, by name where that is certain. */
function defaultText(defaults: readonly KubeObject[], word: string): string {
  const names = defaults.map(({ metadata }) => metadata.name ?? '')
  if (names.length === 0) return word === 'Class' ? 'None chosen' : 'The default'
  return names.length === 1 ? `The default: ${names[0]}` : `The default: one of ${names.join(', ')}`
}

/** Which class satisfies the claim, or which Composition the requirement: by name, or whatever is the default. */
export function OfferChoice({ kind, draft, onChange }: OfferChoiceProps): ReactNode {
  const world = useWorld()
  const id = useId()
  const composite = composedKind(kind, roleOf(kind))
  const offers = useMemo(
    () => (composite === undefined ? classesFor(world, kind) : compositionsFor(world, composite)),
    [world, kind, composite],
  )
  const loaded = useKnowledge(decidesOffers).phase !== 'loading'
  const word = composite === undefined ? 'Class' : 'Composition'
  const keyOf = (offer: (typeof offers)[number]): string => `${offer.kind}/${offer.metadata.name ?? ''}`
  const defaults = offers.filter(isDefaultClass)
  return (
    <div className="field">
      <label htmlFor={id}>{word}</label>
      <select
        id={id}
        aria-describedby={`${id}-note`}
        value={draft.offer === undefined ? DEFAULT : keyOf(draft.offer)}
        onChange={(event) => onChange({ offer: offers.find((each) => keyOf(each) === event.target.value) })}
      >
        <option value={DEFAULT}>{defaultText(defaults, word)}</option>
        {offers.map((offer) => (
          <option key={keyOf(offer)} value={keyOf(offer)}>
            {offer.metadata.name} ({offer.kind}
            {isDefaultClass(offer) ? ', default' : ''})
          </option>
        ))}
      </select>
      <p className="muted" id={`${id}-note`}>
        {offers.length === 0 && !loaded && `Loading what there is…`}
        {offers.length === 0 && loaded && `There is no ${word.toLowerCase()} for this kind that you can see.`}
        {offers.length > 0 &&
          composite === undefined &&
          defaults.length === 0 &&
          'No class is the default: choose one, or the claim waits.'}
      </p>
    </div>
  )
}
