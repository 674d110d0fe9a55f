/** What a server's `gitVersion` says to people: Weft's own release, beside that of Kubernetes whose API it serves. Others are shown as they are. */
export function serverVersion(gitVersion: string): string {
  const [, api, release] = /^(v[\d.]+)\+weft\.(.+)$/.exec(gitVersion) ?? []
  return release === undefined ? gitVersion : `${release} (Kubernetes API ${api})`
}
