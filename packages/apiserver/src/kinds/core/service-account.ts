import type { KubeObject } from '@weft/api'
import { tokenRequest } from '../authentication/messages.ts'
import { tokenRequestStrategy } from '../authentication/token-request.ts'
import { ageColumn, nameColumn } from '../column.ts'
import { type BuiltinKind, builtin } from '../kind.ts'
import { listAt, textAt } from '../read.ts'
import { strategy } from '../strategy.ts'
import { serviceAccount as message } from './messages.ts'

export const serviceAccount: BuiltinKind = builtin({
  group: '',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  shortNames: ['sa'],
  namespaced: true,
  message,
  columns: [nameColumn, ageColumn],
  strategy: strategy({ prepareForCreate: cleanSecrets, prepareForUpdate: cleanSecrets, warnings }),
  subresources: [
    {
      name: 'token',
      verbs: ['create'],
      kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
      message: tokenRequest,
      strategy: tokenRequestStrategy,
    },
  ],
})

/** Of a secret only the name counts: it is always in the account's namespace. */
function cleanSecrets(object: KubeObject): KubeObject {
  const secrets = listAt(object, 'secrets')
  if (secrets.length === 0) return object
  return { ...object, secrets: secrets.map((reference) => (textAt(reference, 'name') === '' ? {} : { name: textAt(reference, 'name') })) }
}

const ENFORCE_MOUNTABLE = 'kubernetes.io/enforce-mountable-secrets'

function warnings(next: KubeObject, old?: KubeObject): string[] {
  const marked = (object: KubeObject | undefined): boolean => Object.hasOwn(object?.metadata.annotations ?? {}, ENFORCE_MOUNTABLE)
  if (!marked(next) || marked(old)) return []
  return [
    `metadata.annotations[${ENFORCE_MOUNTABLE}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  ]
}
