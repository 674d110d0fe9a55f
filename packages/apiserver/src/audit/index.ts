export { type AuditEvent, auditEvent, type AuditObjectRef, type AuditOutcome, type AuditRequest, type AuditStage } from './audit-event.ts'
export { type AuditLog, type AuditLogOptions, type AuditLogStats, openAuditLog } from './audit-log.ts'
