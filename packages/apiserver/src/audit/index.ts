export { auditEvent } from './audit-event.ts'
export { type AuditLog, openAuditLog } from './audit-log.ts'
