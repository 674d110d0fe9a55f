import { type KubeObject, parseGroupVersion } from '@weft/api'
import { type ReactNode, useMemo } from 'react'
import { type ComposedTemplate, type CompositionStep, compositionSteps, type DrawnPatch } from '../../../world/composition-steps.ts'
import { ownReason, stateOf } from '../../../world/state.ts'
import { count } from '../../objects/words.ts'
import { ObjectLink } from '../../parts/object-link.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { ValueTree } from '../../parts/value-tree.tsx'
import { useWorld } from '../../session/console.tsx'

/** What a composition does, in its order: each function, each resource, each patch from where to where. */
export function Steps({ object }: { readonly object: KubeObject }): ReactNode {
  const steps = useMemo(() => compositionSteps(object), [object])
  return (
    <section className="card wide" aria-labelledby="steps">
      <h2 id="steps">Steps</h2>
      {steps.length === 0 && <p className="calm">The composition has no steps: nothing is created.</p>}
      <ol className="steps">
        {steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
    </section>
  )
}

function Step({ step: { name, fn, resources, input, credentials } }: { readonly step: CompositionStep }): ReactNode {
  return (
    <li className="step">
      <h3>
        {name} {fn !== undefined && <FunctionLink name={fn} />}
      </h3>
      {credentials.length > 0 && <p className="muted">It receives the secrets {credentials.join(', ')}.</p>}
      {resources.map((template) => (
        <Template key={template.name} template={template} isOneOfMany={resources.length > MANY} />
      ))}
      {input !== undefined && (
        <details>
          <summary>Input</summary>
          <ValueTree value={input} path={`${name}.input`} />
        </details>
      )}
    </li>
  )
}

const FUNCTION = { apiVersion: 'pkg.crossplane.io/v1', kind: 'Function' }

/** A function, and whether it can run. */
function FunctionLink({ name }: { readonly name: string }): ReactNode {
  const collection = useWorld().collections.get('Function.pkg.crossplane.io')
  const found = collection?.objects.get(`/${name}`)
  const isMissing = found === undefined && collection?.loaded === true && collection.state.phase !== 'refused'
  const state = found === undefined ? undefined : stateOf(found, undefined)
  return (
    <>
      <span className="muted">by </span>
      <ObjectLink object={{ ...FUNCTION, name }}>{name}</ObjectLink> <StateBadge state={isMissing ? 'missing' : state} />
      {isMissing && <span className="why"> This function is not installed: the step cannot run.</span>}
      {found !== undefined && state === 'failed' && <span className="why"> {ownReason(found)}</span>}
    </>
  )
}

/** More resources than that are folded: a page tells what there is before it tells how each is made. */
const MANY = 6

interface TemplateProps {
  readonly template: ComposedTemplate
  readonly isOneOfMany: boolean
}

function Template({ template: { name, apiVersion, kind, patches }, isOneOfMany }: TemplateProps): ReactNode {
  return (
    <details className="template" open={!isOneOfMany && patches.length > 0 && patches.length <= 12}>
      <summary>
        <strong>{name}</strong> {kind} <span className="muted">{parseGroupVersion(apiVersion).group}</span>{' '}
        <span className="muted">{count(patches.length, 'patch', 'patches')}</span>
      </summary>
      {patches.length > 0 && (
        <ul className="patches">
          {patches.map((patch) => (
            <Patch key={`${patch.direction} ${patch.from} ${patch.to}`} patch={patch} />
          ))}
        </ul>
      )}
    </details>
  )
}

/** From left to right as the value goes; one that goes up says so. */
function Patch({ patch: { from, to, transforms, direction } }: { readonly patch: DrawnPatch }): ReactNode {
  return (
    <li className={`patch patch-${direction}`}>
      <code>{from}</code>
      <span className="patch-arrow">
        {transforms.map((transform) => (
          <span key={transform} className="pill">
            {transform}
          </span>
        ))}
        <span aria-hidden="true">→</span>
        <span className="unseen">goes to</span>
      </span>
      <code>{to}</code>
      {direction === 'up' && <span className="muted">up, of what it is composed for</span>}
    </li>
  )
}
