import type { GroupKind, KubeObject } from '@weft/api'
import { type ReactNode, useId, useMemo } from 'react'
import { type KindInfo, roleOf } from '../../../kinds/kind-info.ts'
import { classesFor, compositionsFor, decidesOffers, defaultCompositionOf, isDefaultClass } from '../../../world/makes.ts'
import { useWorld } from '../../session/console.tsx'
import { useKnowledge } from '../../session/use-knowledge.ts'
import type { IntentDraft } from './intent.ts'

export interface OfferChoiceProps {
  readonly kind: KindInfo
  /** The kind whose Compositions it can choose from; undefined where it has classes. */
  readonly composite: GroupKind | undefined
  readonly draft: IntentDraft
  readonly onChange: (changes: Partial<IntentDraft>) => void
}

const DEFAULT = ''

/** What is taken when nothing is chosen, by name where that is certain. */
function defaultText(names: readonly string[], takesAny: boolean): string {
  if (names.length === 0) return takesAny ? 'Any that fits' : 'None chosen'
  return names.length === 1 ? `The default: ${names[0]}` : `The default: one of ${names.join(', ')}`
}

const takesWhatFits = (kind: KindInfo): boolean => {
  const role = roleOf(kind)
  return role === 'claim' || (role === 'composite' && kind.namespaced)
}

/** Which class satisfies the claim, or which Composition the requirement: by name, or whatever is the default. */
export function OfferChoice({ kind, composite, draft, onChange }: OfferChoiceProps): ReactNode {
  const world = useWorld()
  const id = useId()
  const offers = useMemo(
    () => (composite === undefined ? classesFor(world, kind) : compositionsFor(world, composite)),
    [world, kind, composite],
  )
  const loaded = useKnowledge(decidesOffers).phase !== 'loading'
  const word = composite === undefined ? 'Class' : 'Composition'
  const keyOf = (offer: (typeof offers)[number]): string => `${offer.kind}/${offer.metadata.name ?? ''}`
  const named = composite && defaultCompositionOf(world, composite)
  const isDefault = (offer: KubeObject): boolean => (composite === undefined ? isDefaultClass(offer) : offer.metadata.name === named)
  const defaults = offers.filter(isDefault)
  // Crossplane's claims and composite resources take whatever Composition fits; all others wait to be told.
  const takesAny = composite !== undefined && takesWhatFits(kind)
  return (
    <div className="field">
      <label htmlFor={id}>{word}</label>
      <select
        id={id}
        aria-describedby={`${id}-note`}
        value={draft.offer === undefined ? DEFAULT : keyOf(draft.offer)}
        onChange={(event) => onChange({ offer: offers.find((each) => keyOf(each) === event.target.value) })}
      >
        <option value={DEFAULT}>
          {loaded
            ? defaultText(
                defaults.map(({ metadata }) => metadata.name ?? ''),
                takesAny,
              )
            : 'Loading…'}
        </option>
        {offers.map((offer) => (
          <option key={keyOf(offer)} value={keyOf(offer)}>
            {offer.metadata.name} ({offer.kind}
            {isDefault(offer) ? ', default' : ''})
          </option>
        ))}
      </select>
      <p className="muted" id={`${id}-note`}>
        {offers.length === 0 && !loaded && `Loading…`}
        {offers.length === 0 && loaded && `There is no ${word.toLowerCase()} for this kind that you can see.`}
        {loaded &&
          offers.length > 0 &&
          defaults.length === 0 &&
          !takesAny &&
          `No ${word.toLowerCase()} is the default: select one, or the claim waits.`}
      </p>
    </div>
  )
}
