import type { CrdConversion, CrdNames, CustomResourceDefinition } from './types.ts'

const WEBHOOK_PORT = 443

/** With the defaults of the API: singular, listKind, conversion, webhook port, stored versions. The same object when complete. */
export function defaultCrd(crd: CustomResourceDefinition): CustomResourceDefinition {
  const names = defaultNames(crd.spec.names)
  const conversion = defaultConversion(crd.spec.conversion)
  const storedVersions = crd.status?.storedVersions ?? []
  const storage = crd.spec.versions?.find((version) => version.storage)?.name
  const needsStored = storedVersions.length === 0 && storage !== undefined
  if (names === crd.spec.names && conversion === crd.spec.conversion && !needsStored) return crd
  return {
    ...crd,
    spec: { ...crd.spec, names, conversion },
    ...(needsStored && { status: { ...crd.status, storedVersions: [storage] } }),
  }
}

function defaultNames(names: CrdNames): CrdNames {
  if (names.singular && names.listKind) return names
  const kind = names.kind ?? ''
  return {
    ...names,
    ...(!names.singular && kind !== '' && { singular: kind.toLowerCase() }),
    ...(!names.listKind && kind !== '' && { listKind: `${kind}List` }),
  }
}

function defaultConversion(conversion: CrdConversion | undefined): CrdConversion {
  if (conversion === undefined) return { strategy: 'None' }
  const clientConfig = conversion.webhook?.clientConfig
  const service = clientConfig?.service
  if (conversion.webhook === undefined || service === undefined || service.port !== undefined) return conversion
  return {
    ...conversion,
    webhook: { ...conversion.webhook, clientConfig: { ...clientConfig, service: { ...service, port: WEBHOOK_PORT } } },
  }
}
