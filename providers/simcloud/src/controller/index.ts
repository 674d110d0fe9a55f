export { simcloudProvider, type SimCloudProviderOptions } from './simcloud-provider.ts'
