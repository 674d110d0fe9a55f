import { weftKinds } from '@weft/api'
import { DELEGATING } from '@weft/plane'
import { expect, test } from 'vitest'
import { webhookConfiguration } from './webhook-configuration.ts'

interface Webhook {
  readonly name: string
  readonly failurePolicy: string
  readonly rules: readonly { readonly apiGroups: string[]; readonly resources: string[]; readonly operations: string[] }[]
}

test.each([...DELEGATING])('whoever creates or edits a %s is asked for their rights, and nobody gets past', (name) => {
  const [kind, ...group] = name.split('.')
  const plural = weftKinds.find(({ spec }) => spec.group === group.join('.') && spec.names.kind === kind)?.spec.names.plural ?? ''
  const { webhooks } = webhookConfiguration({ namespace: 'any' }) as unknown as { readonly webhooks: readonly Webhook[] }
  const asked = webhooks
    .filter(({ name: webhook, failurePolicy }) => webhook === 'authorize.weft.dev' && failurePolicy === 'Fail')
    .flatMap(({ rules }) => rules)
    .filter(({ apiGroups, resources }) => apiGroups.includes(group.join('.')) && resources.includes(plural))
    .flatMap(({ operations }) => operations)
  expect(asked).toEqual(expect.arrayContaining(['CREATE', 'UPDATE']))
})
