/**
 * A server's message in words for a person. A patch that is refused is quoted with the whole object by kube-apiserver,
 * and that object may be a secret: only what is wrong with it is kept.
 */
export const readableMessage = (message: string): string =>
  message
    .replace(/^\s*"" is invalid: patch: Invalid value: "[^]*": (strict decoding error: )?/, 'the patch is refused: ')
    .replace(/failed to create typed patch object \([^)]*\): /, '')
    .replace(/expected string, got &value\.valueUnstructured\{Value:([^}]*)\}/g, 'expected text, got $1: put it in quotes')
    .replace(/got &value\.valueUnstructured\{Value:([^}]*)\}/g, 'got $1')
    .replace(/\s*\n\s*/g, ' ')
