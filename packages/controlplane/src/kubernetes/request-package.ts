import { hasReason } from '@weft/api'
import type { Client } from '@weft/client'

/** Asks for a provider package by making its Provider, unless there is one of that name: what somebody chose since stays. */
export async function requestPackage(client: Client, reference: string): Promise<void> {
  try {
    await client.create({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Provider',
      metadata: { name: packageName(reference) },
      spec: { package: reference },
    })
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error
  }
}

/** `registry.example.org/acme/provider-dns:v1.2.0` is called `provider-dns`. */
export function packageName(reference: string): string {
  const path = (reference.split('@')[0] ?? '').split('/').at(-1) ?? ''
  const name = (path.split(':')[0] ?? '').toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-')
  const trimmed = name.replaceAll(/^-+|-+$/g, '')
  if (trimmed === '') throw new Error(`${JSON.stringify(reference)} names no package: write it as registry/path/name:version`)
  return trimmed
}
