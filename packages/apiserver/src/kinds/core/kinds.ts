import type { BuiltinKind } from '../kind.ts'
import { configMap } from './config-map.ts'
import { event } from './event.ts'
import { namespace } from './namespace.ts'
import { podTemplate } from './pod-template.ts'
import { resourceQuota } from './resource-quota.ts'
import { secret } from './secret.ts'
import { serviceAccount } from './service-account.ts'
import { service } from './service.ts'

export const coreKinds: readonly BuiltinKind[] = [configMap, event, namespace, podTemplate, resourceQuota, secret, serviceAccount, service]
