import { isJsonObject } from '@weft/api'
import type { WatchControl } from '../../contract.ts'
import { Refusal } from '../answer.ts'

export function readWatchControl({ open = [], close = [] }: Readonly<Record<string, unknown>>): WatchControl {
  if (!Array.isArray(open) || !open.every(isOpening) || !Array.isArray(close) || !close.every((id) => typeof id === 'string'))
    throw new Refusal(400, 'BadRequest', '"open" is a list of {watch, path}, "close" a list of names of watches')
  return { open, close }
}

const isOpening = (value: unknown): value is { readonly watch: string; readonly path: string } =>
  isJsonObject(value) && typeof value['watch'] === 'string' && typeof value['path'] === 'string'
