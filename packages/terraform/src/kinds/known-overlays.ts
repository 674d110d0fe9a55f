import type { ProviderAddress } from '../sources/address.ts'
import aws from '../overlays/aws.json' with { type: 'json' }
import azurerm from '../overlays/azurerm.json' with { type: 'json' }
import google from '../overlays/google.json' with { type: 'json' }
import { WELL_KNOWN_HOSTS } from './kind-names.ts'
import { NO_OVERLAY, overlayOf, parseOverlay, type ProviderOverlay, type TypeOverlay } from './overlay.ts'

/** What no schema says of a few providers that many use. What it names and a version of the provider does not have is passed over. */
const KNOWN: Readonly<Record<string, unknown>> = { 'hashicorp/aws': aws, 'hashicorp/google': google, 'hashicorp/azurerm': azurerm }

export function knownOverlay({ host, namespace, type }: ProviderAddress): ProviderOverlay {
  const key = `${namespace}/${type}`
  return WELL_KNOWN_HOSTS.has(host) && Object.hasOwn(KNOWN, key) ? parseOverlay(KNOWN[key], `what is known of ${key}`) : NO_OVERLAY
}

/** Both; where they disagree, `own` counts. */
export function mergedOverlay(known: ProviderOverlay, own: ProviderOverlay): ProviderOverlay {
  const names = new Set([...known.types.keys(), ...own.types.keys()])
  return { types: new Map([...names].map((name) => [name, mergedType(overlayOf(known, name), overlayOf(own, name))])) }
}

/** A key of the connection secret means one attribute. */
function mergedType(known: TypeOverlay, own: TypeOverlay): TypeOverlay {
  const taken = new Set(own.connection.values())
  return {
    kind: own.kind ?? known.kind,
    sensitive: new Set([...known.sensitive, ...own.sensitive]),
    references: new Map([...known.references, ...own.references]),
    connection: new Map([...[...known.connection].filter(([, key]) => !taken.has(key)), ...own.connection]),
    importFormat: own.importFormat ?? known.importFormat,
  }
}
