import { type KubeObject, isJsonObject } from '@weft/api'
import { type BuiltinKind, builtin, part } from '../kind.ts'
import { at, isSet, listAt, recordAt, textAt, textsAt } from '../read.ts'
import { type Strategy, keepsStatus, statusOnly } from '../strategy.ts'
import { customResourceDefinition as message } from './messages.ts'

/**
 * `validate` and `validateUpdate` are empty on purpose: what makes a definition valid belongs to the schema package,
 * and the registry calls it beside this strategy.
 */
const main: Strategy = keepsStatus({
  unconditionalUpdate: false,
  default: withDefaults,
  prepareForCreate: (object) =>
    withStoredVersion({ ...object, status: { ...recordAt(object, 'status'), acceptedNames: { plural: '', kind: '' } } }),
  prepareForUpdate: withStoredVersion,
})

export const apiextensionsKinds: readonly BuiltinKind[] = [
  builtin({
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    message,
    strategy: main,
    subresources: [part('status', message, statusOnly(main))],
    generation: ['spec'],
  }),
]

function withDefaults(object: KubeObject): KubeObject {
  const spec = recordAt(object, 'spec')
  const names = recordAt(spec, 'names')
  const kind = textAt(names, 'kind')
  const conversion = isJsonObject(spec['conversion']) ? withServicePort(spec['conversion']) : { strategy: 'None' }
  return withStoredVersions({
    ...object,
    spec: {
      ...spec,
      names: {
        ...names,
        ...(textAt(names, 'singular') === '' && kind !== '' && { singular: kind.toLowerCase() }),
        ...(textAt(names, 'listKind') === '' && kind !== '' && { listKind: `${kind}List` }),
      },
      conversion,
    },
  })
}

function withServicePort(conversion: object): object {
  const webhook = recordAt(conversion, 'webhook')
  const config = recordAt(webhook, 'clientConfig')
  const service = config['service']
  if (!isJsonObject(service) || isSet(service['port'])) return conversion
  return { ...conversion, webhook: { ...webhook, clientConfig: { ...config, service: { ...service, port: 443 } } } }
}

const storageVersion = (object: KubeObject): string =>
  textAt(
    listAt(object, 'spec', 'versions').find((version) => at(version, 'storage') === true),
    'name',
  )

/** A definition that does not say what is stored starts with its storage version. */
function withStoredVersions(object: KubeObject): KubeObject {
  return textsAt(object, 'status', 'storedVersions').length > 0 ? object : withStoredVersion(object)
}

/** Records the storage version before anything is stored in it, so that it is never forgotten by a migration. */
function withStoredVersion(object: KubeObject): KubeObject {
  const name = storageVersion(object)
  const stored = textsAt(object, 'status', 'storedVersions')
  if (name === '' || stored.includes(name)) return object
  return { ...object, status: { ...recordAt(object, 'status'), storedVersions: [...stored, name] } }
}
