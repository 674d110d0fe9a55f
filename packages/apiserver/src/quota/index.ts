export { QuotaLedger } from './ledger.ts'
export { measureOf } from './measures.ts'
export { added } from './reservations.ts'
export { amountsOf, formatUsage, masked, sum, type Usage } from './usage.ts'
