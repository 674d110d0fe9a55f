import { generateName, type KubeObject, withMeta } from '@weft/api'

/**
 * What a server would make up (names, uids) is derived from what it is made up for, so that the same files always render to the same text and a
 * difference between two renderings is a difference between the files.
 */

/** The name that stands for the generated one: the same prefix, and five characters that follow from `identity`. */
export const placeholderName = (prefix: string, identity: string): string => generateName(prefix, contentRandom(`${prefix}\n${identity}`))

/** The object with a uid: its own, or one that follows from what it is called. */
export function withPlaceholderUid<T extends KubeObject>(object: T): T {
  if (object.metadata.uid !== undefined && object.metadata.uid !== '') return object
  const { apiVersion, kind, metadata } = object
  return withMeta(object, {
    uid: placeholderUid(`${apiVersion.split('/')[0] ?? ''}\n${kind}\n${metadata.namespace ?? ''}\n${metadata.name ?? ''}`),
  })
}

/** In the form of a uid, of version 8: made by a rule of our own. */
function placeholderUid(text: string): string {
  const random = contentRandom(text)
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16))
  hex[12] = '8'
  hex[16] = (8 + Math.floor(random() * 4)).toString(16)
  const digits = hex.join('')
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join('-')
}

/** Numbers in [0, 1) that follow from a text: FNV-1a to begin with, then splitmix32. Not for secrets. */
export function contentRandom(text: string): () => number {
  let state = 0x811c9dc5
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193)
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    mixed ^= mixed >>> 15
    return (mixed >>> 0) / 0x1_0000_0000
  }
}
