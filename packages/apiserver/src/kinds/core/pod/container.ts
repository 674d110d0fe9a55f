import { type Message, inline, list, map, message, opt, ptr, req } from '../../message.ts'
import { localObjectReference } from '../messages.ts'
import { securityContext } from './security.ts'

/** Containers, their environment and their probes. */
const v1 = (kind: string): string => `io.k8s.api.core.v1.${kind}`

export const objectFieldSelector: Message = message(
  v1('ObjectFieldSelector'),
  'A field of the pod.',
  () => ({
    apiVersion: opt(1, 'string', 'Version in which the field is named.'),
    fieldPath: req(2, 'string', 'Path of the field.'),
  }),
  { mapType: 'atomic' },
)

export const resourceFieldSelector: Message = message(
  v1('ResourceFieldSelector'),
  'A resource limit or request of a container.',
  () => ({
    containerName: opt(1, 'string', 'Name of the container.'),
    resource: req(2, 'string', 'The resource.'),
    divisor: opt(3, 'quantity', 'Unit of the result.'),
  }),
  { mapType: 'atomic' },
)

export const container: Message = message(v1('Container'), 'A program that runs in a pod.', () => ({
  name: req(1, 'string', 'Name.'),
  image: opt(2, 'string', 'Image to run.'),
  command: opt(3, list('string'), 'Command to run.'),
  args: opt(4, list('string'), 'Arguments of the command.'),
  workingDir: opt(5, 'string', 'Working directory.'),
  ports: opt(6, list(containerPort, ['containerPort', 'protocol']), 'Ports of the container.', {
    patchStrategy: 'merge',
    patchMergeKey: 'containerPort',
  }),
  envFrom: opt(19, list(envFromSource), 'Sources of environment variables.'),
  env: opt(7, list(envVar, ['name']), 'Environment variables.', { patchStrategy: 'merge', patchMergeKey: 'name' }),
  resources: opt(8, resourceRequirements, 'Resources needed and allowed.'),
  resizePolicy: opt(23, list(containerResizePolicy), 'What happens when resources change.'),
  restartPolicy: ptr(24, 'string', 'When it is restarted.'),
  restartPolicyRules: opt(25, list(containerRestartRule), 'Exceptions to when it is restarted.'),
  volumeMounts: opt(9, list(volumeMount, ['mountPath']), 'Volumes that are mounted.', {
    patchStrategy: 'merge',
    patchMergeKey: 'mountPath',
  }),
  volumeDevices: opt(21, list(volumeDevice, ['devicePath']), 'Raw volumes that are passed on.', {
    patchStrategy: 'merge',
    patchMergeKey: 'devicePath',
  }),
  livenessProbe: ptr(10, probe, 'Restarts the container when it fails.'),
  readinessProbe: ptr(11, probe, 'Takes the container out of service when it fails.'),
  startupProbe: ptr(22, probe, 'Holds the other probes back until it succeeds.'),
  lifecycle: ptr(12, lifecycle, 'What is done when it starts and stops.'),
  terminationMessagePath: opt(13, 'string', 'File with the last message.'),
  terminationMessagePolicy: opt(20, 'string', 'Where the last message is taken from.'),
  imagePullPolicy: opt(14, 'string', 'Always, Never or IfNotPresent.'),
  securityContext: ptr(15, securityContext, 'What it may do.'),
  stdin: opt(16, 'bool', 'Whether standard input stays open.'),
  stdinOnce: opt(17, 'bool', 'Whether standard input closes after the first client.'),
  tty: opt(18, 'bool', 'Whether there is a terminal.'),
}))

export const containerPort: Message = message(v1('ContainerPort'), 'A port of a container.', () => ({
  name: opt(1, 'string', 'Name.'),
  hostPort: opt(2, 'int32', 'Port on the node.'),
  containerPort: req(3, 'int32', 'Port of the container.'),
  protocol: opt(4, 'string', 'TCP, UDP or SCTP.', { default: 'TCP' }),
  hostIP: opt(5, 'string', 'Address on the node.'),
}))

export const envFromSource: Message = message(v1('EnvFromSource'), 'Entries that become environment variables.', () => ({
  prefix: opt(1, 'string', 'Put before every name.'),
  configMapRef: ptr(2, configMapEnvSource, 'The config map.'),
  secretRef: ptr(3, secretEnvSource, 'Secret with the credentials.'),
}))

export const configMapEnvSource: Message = message(
  v1('ConfigMapEnvSource'),
  'A config map whose entries become environment variables.',
  () => ({
    localObjectReference: inline(1, localObjectReference),
    optional: ptr(2, 'bool', 'Whether it may be missing.'),
  }),
)

export const secretEnvSource: Message = message(v1('SecretEnvSource'), 'A secret whose entries become environment variables.', () => ({
  localObjectReference: inline(1, localObjectReference),
  optional: ptr(2, 'bool', 'Whether it may be missing.'),
}))

export const envVar: Message = message(v1('EnvVar'), 'An environment variable.', () => ({
  name: req(1, 'string', 'Name.'),
  value: opt(2, 'string', 'Value.'),
  valueFrom: ptr(3, envVarSource, 'Where the value comes from.'),
}))

export const envVarSource: Message = message(v1('EnvVarSource'), 'Where the value of an environment variable comes from.', () => ({
  fieldRef: ptr(1, objectFieldSelector, 'A field of the pod.'),
  resourceFieldRef: ptr(2, resourceFieldSelector, 'A resource of a container.'),
  configMapKeyRef: ptr(3, configMapKeySelector, 'An entry of a config map.'),
  secretKeyRef: ptr(4, secretKeySelector, 'An entry of a secret.'),
  fileKeyRef: ptr(5, fileKeySelector, 'An entry of a file.'),
}))

export const configMapKeySelector: Message = message(
  v1('ConfigMapKeySelector'),
  'An entry of a config map.',
  () => ({
    localObjectReference: inline(1, localObjectReference),
    key: req(2, 'string', 'Key.'),
    optional: ptr(3, 'bool', 'Whether it may be missing.'),
  }),
  { mapType: 'atomic' },
)

export const secretKeySelector: Message = message(
  v1('SecretKeySelector'),
  'An entry of a secret.',
  () => ({
    localObjectReference: inline(1, localObjectReference),
    key: req(2, 'string', 'Key.'),
    optional: ptr(3, 'bool', 'Whether it may be missing.'),
  }),
  { mapType: 'atomic' },
)

export const fileKeySelector: Message = message(
  v1('FileKeySelector'),
  'An entry of a file in a volume.',
  () => ({
    volumeName: req(1, 'string', 'Name of the volume.'),
    path: req(2, 'string', 'Path.'),
    key: req(3, 'string', 'Key.'),
    optional: ptr(4, 'bool', 'Whether it may be missing.'),
  }),
  { mapType: 'atomic' },
)

export const resourceRequirements: Message = message(v1('ResourceRequirements'), 'What a container needs and how much it may use.', () => ({
  limits: opt(1, map('quantity'), 'Most that may be used.'),
  requests: opt(2, map('quantity'), 'Least that is needed.'),
  claims: opt(3, list(resourceClaim, ['name']), 'Claims on devices.'),
}))

export const resourceClaim: Message = message(v1('ResourceClaim'), 'Refers to a claim of the pod.', () => ({
  name: req(1, 'string', 'Name.'),
  request: opt(2, 'string', 'Which request of the claim.'),
}))

export const containerResizePolicy: Message = message(v1('ContainerResizePolicy'), 'Whether a resize restarts the container.', () => ({
  resourceName: req(1, 'string', 'The resource.'),
  restartPolicy: req(2, 'string', 'When it is restarted.'),
}))

export const containerRestartRule: Message = message(v1('ContainerRestartRule'), 'When a container that ended is restarted.', () => ({
  action: opt(1, 'string', 'What is done.', { required: true }),
  exitCodes: ptr(2, containerRestartRuleOnExitCodes, 'Exit codes it is about.'),
}))

export const containerRestartRuleOnExitCodes: Message = message(
  v1('ContainerRestartRuleOnExitCodes'),
  'Exit codes that a rule is about.',
  () => ({
    operator: opt(1, 'string', 'How the values are compared.', { required: true }),
    values: opt(2, list('int32', 'set'), 'Values to compare with.'),
  }),
)

export const volumeMount: Message = message(v1('VolumeMount'), 'Where a volume is mounted in a container.', () => ({
  name: req(1, 'string', 'Name.'),
  readOnly: opt(2, 'bool', 'Whether it is mounted read-only.'),
  recursiveReadOnly: ptr(7, 'string', 'Whether mounts below are read-only too.'),
  mountPath: req(3, 'string', 'Path in the container.'),
  subPath: opt(4, 'string', 'Path within the volume.'),
  mountPropagation: ptr(5, 'string', 'How mounts are passed between node and container.'),
  subPathExpr: opt(6, 'string', 'Path within the volume, with variables.'),
}))

export const volumeDevice: Message = message(v1('VolumeDevice'), 'Where a raw volume appears in a container.', () => ({
  name: req(1, 'string', 'Name.'),
  devicePath: req(2, 'string', 'Path of the device in the container.'),
}))

export const probe: Message = message(v1('Probe'), 'A check of a container.', () => ({
  probeHandler: inline(1, probeHandler),
  initialDelaySeconds: opt(2, 'int32', 'Seconds before the first check.'),
  timeoutSeconds: opt(3, 'int32', 'Seconds after which a check fails.'),
  periodSeconds: opt(4, 'int32', 'Seconds between checks.'),
  successThreshold: opt(5, 'int32', 'Successes in a row that count.'),
  failureThreshold: opt(6, 'int32', 'Failures in a row that count.'),
  terminationGracePeriodSeconds: ptr(7, 'int64', 'Seconds granted to end gracefully.'),
}))

export const probeHandler: Message = message(v1('ProbeHandler'), 'How a check is made; exactly one field is set.', () => ({
  exec: ptr(1, execAction, 'Runs a command.'),
  httpGet: ptr(2, httpGetAction, 'Asks by HTTP.'),
  tcpSocket: ptr(3, tcpSocketAction, 'Opens a TCP connection.'),
  grpc: ptr(4, grpcAction, 'Asks by gRPC.'),
}))

export const execAction: Message = message(v1('ExecAction'), 'Runs a command in the container.', () => ({
  command: opt(1, list('string'), 'Command to run.'),
}))

export const httpGetAction: Message = message(v1('HTTPGetAction'), 'Asks by HTTP.', () => ({
  path: opt(1, 'string', 'Path.'),
  port: req(2, 'intOrString', 'Port number or name.'),
  host: opt(3, 'string', "Host; the pod's address when empty."),
  scheme: opt(4, 'string', 'HTTP or HTTPS.'),
  httpHeaders: opt(5, list(httpHeader), 'Headers of the request.'),
}))

export const httpHeader: Message = message(v1('HTTPHeader'), 'A header of the request.', () => ({
  name: req(1, 'string', 'Name.'),
  value: req(2, 'string', 'Value.'),
}))

export const tcpSocketAction: Message = message(v1('TCPSocketAction'), 'Opens a TCP connection.', () => ({
  port: req(1, 'intOrString', 'Port number or name.'),
  host: opt(2, 'string', "Host; the pod's address when empty."),
}))

export const grpcAction: Message = message(v1('GRPCAction'), 'Asks by gRPC.', () => ({
  port: req(1, 'int32', 'Port number or name.'),
  service: ptr(2, 'string', 'Name of the service.'),
}))

export const lifecycle: Message = message(v1('Lifecycle'), 'What is done when a container starts and stops.', () => ({
  postStart: ptr(1, lifecycleHandler, 'After the container starts.'),
  preStop: ptr(2, lifecycleHandler, 'Before the container stops.'),
  stopSignal: ptr(3, 'string', 'Signal that stops it.'),
}))

export const lifecycleHandler: Message = message(v1('LifecycleHandler'), 'What is done; exactly one field is set.', () => ({
  exec: ptr(1, execAction, 'Runs a command.'),
  httpGet: ptr(2, httpGetAction, 'Asks by HTTP.'),
  tcpSocket: ptr(3, tcpSocketAction, 'Opens a TCP connection.'),
  sleep: ptr(4, sleepAction, 'Waits.'),
}))

export const sleepAction: Message = message(v1('SleepAction'), 'Waits.', () => ({
  seconds: req(1, 'int64', 'How many seconds.'),
}))

export const ephemeralContainer: Message = message(v1('EphemeralContainer'), 'A container added to a running pod for debugging.', () => ({
  ephemeralContainerCommon: inline(1, ephemeralContainerCommon),
  targetContainerName: opt(2, 'string', 'Container whose processes are shown.'),
}))

export const ephemeralContainerCommon: Message = message(
  v1('EphemeralContainerCommon'),
  'What an ephemeral container shares with others.',
  () => ({
    name: req(1, 'string', 'Name.'),
    image: opt(2, 'string', 'Image to run.'),
    command: opt(3, list('string'), 'Command to run.'),
    args: opt(4, list('string'), 'Arguments of the command.'),
    workingDir: opt(5, 'string', 'Working directory.'),
    ports: opt(6, list(containerPort, ['containerPort', 'protocol']), 'Ports of the container.', {
      patchStrategy: 'merge',
      patchMergeKey: 'containerPort',
    }),
    envFrom: opt(19, list(envFromSource), 'Sources of environment variables.'),
    env: opt(7, list(envVar, ['name']), 'Environment variables.', { patchStrategy: 'merge', patchMergeKey: 'name' }),
    resources: opt(8, resourceRequirements, 'Resources needed and allowed.'),
    resizePolicy: opt(23, list(containerResizePolicy), 'What happens when resources change.'),
    restartPolicy: ptr(24, 'string', 'When it is restarted.'),
    restartPolicyRules: opt(25, list(containerRestartRule), 'Exceptions to when it is restarted.'),
    volumeMounts: opt(9, list(volumeMount, ['mountPath']), 'Volumes that are mounted.', {
      patchStrategy: 'merge',
      patchMergeKey: 'mountPath',
    }),
    volumeDevices: opt(21, list(volumeDevice, ['devicePath']), 'Raw volumes that are passed on.', {
      patchStrategy: 'merge',
      patchMergeKey: 'devicePath',
    }),
    livenessProbe: ptr(10, probe, 'Restarts the container when it fails.'),
    readinessProbe: ptr(11, probe, 'Takes the container out of service when it fails.'),
    startupProbe: ptr(22, probe, 'Holds the other probes back until it succeeds.'),
    lifecycle: ptr(12, lifecycle, 'What is done when it starts and stops.'),
    terminationMessagePath: opt(13, 'string', 'File with the last message.'),
    terminationMessagePolicy: opt(20, 'string', 'Where the last message is taken from.'),
    imagePullPolicy: opt(14, 'string', 'Always, Never or IfNotPresent.'),
    securityContext: ptr(15, securityContext, 'What it may do.'),
    stdin: opt(16, 'bool', 'Whether standard input stays open.'),
    stdinOnce: opt(17, 'bool', 'Whether standard input closes after the first client.'),
    tty: opt(18, 'bool', 'Whether there is a terminal.'),
  }),
)
