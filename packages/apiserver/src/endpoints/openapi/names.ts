/**
 * The words of a group in operation ids and tags: `RbacAuthorization`, `ExampleIo`. Kubernetes' own groups lose their
 * common suffix; the core group is called so.
 */
export function groupWords(group: string, isCustom: boolean): string {
  if (group === '') return 'Core'
  const bare = isCustom ? group : group.replace(/\.k8s\.io$/, '')
  return bare.split(/[.-]/).map(capitalized).join('')
}

export const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
export const uncapitalized = (word: string): string => word.slice(0, 1).toLowerCase() + word.slice(1)
