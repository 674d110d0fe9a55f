import type { ReactNode } from 'react'
import type { Summary } from '../../../contract.ts'
import { stateOf } from '../../../world/state.ts'
import { installedPackages } from '../../objects/installed-packages.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Link } from '../../routing/navigation.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'

/** For an installation that is new: what comes first, and how far one is. It goes when somebody has asked for something. */
export function FirstSteps({ summary: { hasIntents, hasOffers, kinds, refused } }: { readonly summary: Summary }): ReactNode {
  const world = useWorld()
  const { session } = useConsole()
  // Who does not see everything cannot be told that there is nothing.
  if (hasIntents || kinds.length > 0 || refused.total > 0) return null
  const hasProvider = installedPackages(world).some(({ object }) => object.kind === 'Provider' && stateOf(object, undefined) === 'ready')
  return (
    <section aria-labelledby="first-steps" className="card span first-steps">
      <h2 id="first-steps">First steps</h2>
      <p className="lead">
        This control plane has nothing to do yet. You are signed in as <strong>{session.user}</strong>.
      </p>
      <ol className="steps">
        <Step title="Install a provider" done={hasProvider}>
          Providers make things in clouds and on this machine. Some come with Weft; others are{' '}
          <Link to={{ page: 'packages' }}>packages</Link>.
        </Step>
        <Step title="Offer something" done={hasOffers}>
          A class, or a definition with a composition, says what people can ask for. To begin with a small platform that works, run{' '}
          <Command text="weft init platform --apply" /> in the folder where you started Weft; it appears here at once.
        </Step>
        <Step title="Ask for it" done={false}>
          {hasOffers ? (
            <>
              Choose something in the <Link to={{ page: 'catalogue' }}>catalogue</Link> and fill in its form: all that would be created is
              shown before anything is.
            </>
          ) : (
            'The catalogue then shows what is offered, with a form for each kind.'
          )}
        </Step>
      </ol>
      <p>
        <a href="/docs/tutorial.html" target="_blank" rel="noopener">
          The tutorial
        </a>{' '}
        goes through all of it; give teammates access with <Command text="weft user add NAME --role ROLE" />.
      </p>
    </section>
  )
}

function Step({ title, done, children }: { readonly title: string; readonly done: boolean; readonly children: ReactNode }): ReactNode {
  return (
    <li className={done ? 'step step-done' : 'step'}>
      <h3>
        {title} {done && <span className="pill">done</span>}
      </h3>
      <p>{children}</p>
    </li>
  )
}

const Command = ({ text }: { readonly text: string }): ReactNode => (
  <span className="command">
    <code>{text}</code>
    <CopyButton text={text} what="the command" />
  </span>
)
