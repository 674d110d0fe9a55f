/** Every object is below it, and nothing else is. */
export const REGISTRY = '/registry/'

/** Where the objects of one resource are, by the group in which they are stored: two views of one kind share one place. */
export const resourcePrefix = (group: string, plural: string): string => `${REGISTRY}${group || 'core'}/${plural}/`

/** Where one object is; without a namespace where its kind has none. */
export const objectKey = (prefix: string, namespace: string | undefined, name: string): string =>
  namespace === undefined ? `${prefix}${name}` : `${prefix}${namespace}/${name}`
