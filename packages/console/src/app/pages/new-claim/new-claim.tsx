import { useMutation } from '@tanstack/react-query'
import { type KubeObject, StatusError } from '@weft/api'
import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Plan } from '../../../contract.ts'
import { PlanView } from '../../actions/plan-view.tsx'
import { Code } from '../../editor/code.tsx'
import { toYaml } from '../../editor/yaml-text.ts'
import { initialOf } from '../../form/field.ts'
import { Fields, YamlInput } from '../../form/field-view.tsx'
import { missingFields } from '../../form/value.ts'
import { type KindInfo, listPath, ROLE_NAMES, roleOf } from '../../../kinds/kind-info.ts'
import { Failure, Loading, Notice } from '../../parts/notice.tsx'
import { routeTo } from '../../parts/object-link.tsx'
import { Page } from '../../parts/page.tsx'
import { navigate } from '../../routing/navigation.tsx'
import { useSchema } from '../../schema/use-schema.ts'
import { useAccess, wishFor } from '../../session/access.ts'
import { useConsole, useWorld } from '../../session/console.tsx'
import { composedKind, descriptionOf, formOf, type IntentDraft, type IntentForm, intentOf } from './intent.ts'
import { OfferChoice } from './offer-choice.tsx'
import { unreadFields } from './unread-fields.ts'

export default function NewClaim({ kind }: { readonly kind: KindInfo }): ReactNode {
  const { schema, isPending, error } = useSchema(kind)
  const role = roleOf(kind)
  const form = useMemo(() => schema && formOf(schema, role), [schema, role])
  return (
    <Page title={`New ${kind.kind}`} over={`${role === undefined ? 'Object' : ROLE_NAMES[role].one} · ${kind.group}`}>
      {isPending && <Loading what="the form" />}
      <Failure error={error} doing="The schema cannot be read" />
      {!isPending && error === null && form === undefined && (
        <Notice tone="info">
          The server publishes no schema of {kind.kind}, so there is no form. Use the command line: weft apply -f FILE.
        </Notice>
      )}
      {schema !== undefined && <p className="lead">{descriptionOf(schema)}</p>}
      {form !== undefined && <Form key={`${kind.group}/${kind.kind}`} kind={kind} form={form} />}
    </Page>
  )
}

function Form({ kind, form }: { readonly kind: KindInfo; readonly form: IntentForm }): ReactNode {
  const { api, namespace } = useConsole()
  const id = useId()
  const [draft, setDraft] = useState<IntentDraft>(() => ({
    name: '',
    namespace: namespace === '' ? 'default' : namespace,
    matchLabels: {},
    secretName: '',
    spec: initialOf({ type: 'group', fields: form.fields, open: form.open }, undefined) ?? {},
    more: undefined,
  }))
  const change = (changes: Partial<IntentDraft>): void => setDraft((before) => ({ ...before, ...changes }))
  const world = useWorld()
  const composite = useMemo(() => composedKind(world, kind), [world, kind])
  const isComposed = composite !== undefined
  const object = useMemo(() => intentOf(kind, draft, { place: form.place, isComposed }), [kind, draft, form.place, isComposed])
  const unread = useMemo(() => unreadFields(world, composite, draft.offer), [world, composite, draft.offer])
  const missing = missingFields(form.fields, object['spec'], 'spec')
  const mayCreate = useAccess(wishFor('create', kind, object.metadata.namespace))
  const [planned, setPlanned] = useState<{ readonly of: KubeObject; readonly plan: Plan | string }>()
  const path = `/k8s${listPath(kind, object.metadata.namespace)}?fieldManager=weft-console`
  const preview = useMutation({
    mutationFn: async () => {
      // The server's own judgement first: a plan of something that it refuses is worth nothing.
      await api.send('POST', `${path}&dryRun=All`, object)
      const plan = await api.send<Plan>('POST', '/console/plan', { objects: [object] }).catch(whyUnplanned)
      setPlanned({ of: object, plan })
    },
  })
  const create = useMutation({
    mutationFn: () => api.send<KubeObject>('POST', path, object),
    onSuccess: (created) => navigate(routeTo(kind, created.metadata.namespace, created.metadata.name ?? '')),
  })
  const current = planned?.of === object ? planned : undefined
  const result = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (current !== undefined) result.current?.focus()
  }, [current])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    preview.mutate()
  }
  return (
    <form className="new-claim" onSubmit={submit}>
      <section className="card" aria-label="Fields">
        <div className="field">
          <label htmlFor={`${id}-name`}>Name *</label>
          <input
            id={`${id}-name`}
            required
            pattern="[a-z0-9]([\-a-z0-9.]*[a-z0-9])?"
            title="Lower-case letters, digits, dots and dashes"
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        </div>
        {kind.namespaced && (
          <div className="field">
            <label htmlFor={`${id}-namespace`}>In namespace *</label>
            <input
              id={`${id}-namespace`}
              required
              list="namespaces"
              value={draft.namespace}
              onChange={(event) => change({ namespace: event.target.value })}
            />
          </div>
        )}
        <OfferChoice kind={kind} composite={composite} draft={draft} onChange={change} />
        <Fields fields={form.fields} value={draft.spec} remark={unread} onChange={(spec) => change({ spec })} />
        {form.connects && (
          <div className="field">
            <label htmlFor={`${id}-secret`}>Connection secret</label>
            <input
              id={`${id}-secret`}
              value={draft.secretName}
              aria-describedby={`${id}-secret-note`}
              onChange={(event) => change({ secretName: event.target.value })}
            />
            <p className="muted" id={`${id}-secret-note`}>
              Name of the Secret that connection details are written to, in the same namespace.
            </p>
          </div>
        )}
        {form.open && (
          <div className="field">
            <label htmlFor={`${id}-more`}>Further fields of spec</label>
            <YamlInput id={`${id}-more`} note={`${id}-more-note`} value={draft.more} onChange={(more) => change({ more })} />
            <p className="muted" id={`${id}-more-note`}>
              YAML, for instance <code>engineVersion: &quot;16&quot;</code>. Which fields there are depends on the class.
            </p>
          </div>
        )}
        {missing.length > 0 && <p className="muted">Required fields that are empty: {missing.join(', ')}.</p>}
        {mayCreate === false && draft.namespace !== '' && <Notice tone="info">You may not create this in {draft.namespace}.</Notice>}
        <Failure error={preview.error} doing="The server would refuse this" />
        <div className="buttons">
          <button type="submit" className={current === undefined ? 'primary' : ''} disabled={mayCreate === false || preview.isPending}>
            {preview.isPending ? 'Asking the server…' : 'Preview'}
          </button>
        </div>
      </section>
      <div>
        {current !== undefined && (
          <section className="card" aria-labelledby="preview" ref={result} tabIndex={-1}>
            <h2 id="preview">What would be created</h2>
            {typeof current.plan === 'string' ? <Notice tone="warning">{current.plan}</Notice> : <PlanView plan={current.plan} />}
            <Failure error={create.error} doing="Not created" />
            <div className="buttons buttons-in-view">
              <button type="button" className="primary" disabled={create.isPending} onClick={() => create.mutate()}>
                {create.isPending ? 'Creating…' : 'Create'}
              </button>
            </div>
          </section>
        )}
        <section className="card" aria-labelledby="as-yaml">
          <h2 id="as-yaml">As YAML</h2>
          <Code label="YAML of what you are creating" text={toYaml(object)} />
        </section>
      </div>
    </form>
  )
}

/** Whoever may create something may not always see enough to know what it becomes; that does not keep them from it. */
function whyUnplanned(error: unknown): string {
  if (!(error instanceof StatusError)) throw error
  if (error.code === 501) return 'The server accepts it. This console cannot show what would be created.'
  if (error.code === 403)
    return 'The server accepts it. What would be created cannot be shown: you may not see everything that it depends on.'
  return `The server accepts it. What would be created cannot be shown: ${error.message}`
}
