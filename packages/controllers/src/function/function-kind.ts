import { defineKind, type StaticKind } from '@weft/client'
import type { PackageObject } from '../package/kinds.ts'

/** A function as an installed package. */
export type FunctionPackage = PackageObject

export const functionKind: StaticKind<FunctionPackage> = defineKind({
  group: 'pkg.crossplane.io',
  version: 'v1',
  kind: 'Function',
  plural: 'functions',
  namespaced: false,
})

/** On a Function: where a program on this machine answers for it, without TLS. For development. */
export const FUNCTION_ADDRESS = 'weft.dev/function-address'
