import { type Message, list, message, opt, ptr, req } from '../../message.ts'

/** What pods and containers may do on their node. */
const v1 = (kind: string): string => `io.k8s.api.core.v1.${kind}`

export const securityContext: Message = message(v1('SecurityContext'), 'What a container may do.', () => ({
  capabilities: ptr(1, capabilities, 'Capabilities to add and to drop.'),
  privileged: ptr(2, 'bool', 'Whether it runs as if on the node.'),
  seLinuxOptions: ptr(3, seLinuxOptions, 'SELinux label.'),
  windowsOptions: ptr(10, windowsSecurityContextOptions, 'What is particular to Windows.'),
  runAsUser: ptr(4, 'int64', 'User ID to run as.'),
  runAsGroup: ptr(8, 'int64', 'Group ID to run as.'),
  runAsNonRoot: ptr(5, 'bool', 'Whether running as root is refused.'),
  readOnlyRootFilesystem: ptr(6, 'bool', 'Whether the root file system is read-only.'),
  allowPrivilegeEscalation: ptr(7, 'bool', 'Whether a process may gain more rights than its parent.'),
  procMount: ptr(9, 'string', 'How /proc is mounted.'),
  seccompProfile: ptr(11, seccompProfile, 'Seccomp profile.'),
  appArmorProfile: ptr(12, appArmorProfile, 'AppArmor profile.'),
}))

export const capabilities: Message = message(v1('Capabilities'), 'Capabilities of Linux to add and to drop.', () => ({
  add: opt(1, list('string'), 'What to add.'),
  drop: opt(2, list('string'), 'What to drop.'),
}))

export const seLinuxOptions: Message = message(v1('SELinuxOptions'), 'SELinux label.', () => ({
  user: opt(1, 'string', 'User to act as.'),
  role: opt(2, 'string', 'Role part of the label.'),
  type: opt(3, 'string', 'Type.'),
  level: opt(4, 'string', 'Level part of the label.'),
}))

export const windowsSecurityContextOptions: Message = message(
  v1('WindowsSecurityContextOptions'),
  'What is particular to Windows.',
  () => ({
    gmsaCredentialSpecName: ptr(1, 'string'),
    gmsaCredentialSpec: ptr(2, 'string'),
    runAsUserName: ptr(3, 'string'),
    hostProcess: ptr(4, 'bool'),
  }),
)

export const seccompProfile: Message = message(v1('SeccompProfile'), 'Which seccomp profile applies.', () => ({
  type: req(1, 'string', 'Type.'),
  localhostProfile: ptr(2, 'string', 'Profile on the node, for type Localhost.'),
}))

export const appArmorProfile: Message = message(v1('AppArmorProfile'), 'Which AppArmor profile applies.', () => ({
  type: req(1, 'string', 'Type.'),
  localhostProfile: ptr(2, 'string', 'Profile on the node, for type Localhost.'),
}))

export const podSecurityContext: Message = message(v1('PodSecurityContext'), 'What all containers of a pod may do.', () => ({
  seLinuxOptions: ptr(1, seLinuxOptions, 'SELinux label.'),
  windowsOptions: ptr(8, windowsSecurityContextOptions, 'What is particular to Windows.'),
  runAsUser: ptr(2, 'int64', 'User ID to run as.'),
  runAsGroup: ptr(6, 'int64', 'Group ID to run as.'),
  runAsNonRoot: ptr(3, 'bool', 'Whether running as root is refused.'),
  supplementalGroups: opt(4, list('int64'), 'More group IDs to run with.'),
  supplementalGroupsPolicy: ptr(12, 'string', 'Merge or Strict.'),
  fsGroup: ptr(5, 'int64', 'Group that owns the volumes.'),
  sysctls: opt(7, list(sysctl), 'Kernel parameters.'),
  fsGroupChangePolicy: ptr(9, 'string', 'When ownership is changed: OnRootMismatch or Always.'),
  seccompProfile: ptr(10, seccompProfile, 'Seccomp profile.'),
  appArmorProfile: ptr(11, appArmorProfile, 'AppArmor profile.'),
  seLinuxChangePolicy: ptr(13, 'string', 'MountOption or Recursive.'),
}))

export const sysctl: Message = message(v1('Sysctl'), 'A kernel parameter.', () => ({
  name: req(1, 'string', 'Name.'),
  value: req(2, 'string', 'Value.'),
}))
