export { openApiV2Handler } from './openapi-v2.ts'
export { openApiV3Handler } from './openapi-v3.ts'
