import { describe, expect, it } from 'vitest'
import { readableMessage } from './readable-message.ts'

describe('messages of a server', () => {
  it.each([
    [
      ' "" is invalid: patch: Invalid value: "{\\"data\\":{\\"password\\":\\"c3dvcmQ=\\"}}": strict decoding error: unknown field "spec.x"',
      'the patch is refused: unknown field "spec.x"',
    ],
    [
      'failed to create typed patch object (default/c; /v1, Kind=ConfigMap): .data.a: expected string, got &value.valueUnstructured{Value:1}',
      '.data.a: expected text, got 1: put it in quotes',
    ],
    ['Apply failed with 1 conflict:\n- .spec.size', 'Apply failed with 1 conflict: - .spec.size'],
    ['widgets "a" not found', 'widgets "a" not found'],
  ])('%j is %j', (message, words) => {
    expect(readableMessage(message)).toBe(words)
  })
})
