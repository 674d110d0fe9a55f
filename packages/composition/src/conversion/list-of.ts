import { isJsonObject, type JsonObject } from '@weft/api'

export const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
