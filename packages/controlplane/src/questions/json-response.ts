import { stringifyJson } from '@weft/api'
import type { ApiResponse } from '@weft/apiserver'

export const jsonResponse = (status: number, object: object): ApiResponse => ({
  status,
  body: { kind: 'bytes', contentType: 'application/json', bytes: stringifyJson(object) },
})
