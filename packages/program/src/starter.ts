/**
 * The last step before a program of an image: the machine's own programs that give it its root and its user must not be told what an image says, since a variable can
 * have them load a file of that image (LD_PRELOAD) or run a function (BASH_FUNC_…), and they run as us. So its variables come to them as values of ours, under names
 * that mean nothing, and this program, which is in the root already and is the program's own user, gives them to it under theirs.
 *
 * A file of the fewest instructions that do that, for machines whose calls are known here; undefined for others.
 */
export function starterProgram(arch: string = process.arch): Uint8Array | undefined {
  const machine = { x64: { id: 62, code: AMD64 }, arm64: { id: 183, code: ARM64 } }[arch]
  if (machine === undefined) return undefined
  const code = Buffer.from(machine.code.map(([bytes]) => bytes).join('') + Buffer.from(WORDS).toString('hex'), 'hex')
  const file = Buffer.alloc(CODE_AT + code.length)
  const [at, ELF, PROGRAM, LOAD, RUN_AND_READ] = [0x400000n, '7f454c460201010000000000000000000200', 1, 1, 5]
  file.write(ELF, 'hex')
  file.writeUInt16LE(machine.id, 18)
  file.writeUInt32LE(1, 20)
  file.writeBigUInt64LE(at + BigInt(CODE_AT), 24)
  file.writeBigUInt64LE(BigInt(HEADER), 32)
  file.writeUInt16LE(HEADER, 52)
  file.writeUInt16LE(PROGRAM_HEADER, 54)
  file.writeUInt16LE(PROGRAM, 56)
  file.writeUInt32LE(LOAD, HEADER)
  file.writeUInt32LE(RUN_AND_READ, HEADER + 4)
  for (const offset of [16, 24]) file.writeBigUInt64LE(at, HEADER + offset)
  for (const offset of [32, 40]) file.writeBigUInt64LE(BigInt(file.length), HEADER + offset)
  file.writeBigUInt64LE(0x10000n, HEADER + 48)
  code.copy(file, CODE_AT)
  return file
}

/** What the machine's programs are given, for the starter to make what is in it of it. */
export const carriedEnvironment = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value], at) => [`WEFT_${at}`, `${name}=${value}`]))

/** Where there is no starter: without what programs of a machine heed before they do anything. */
export const harmlessEnvironment = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !HEEDED.test(name)))

/** By the loaders and C libraries of Linux, and by shells. */
const HEEDED =
  /^(LD_|GLIBC_|GCONV_|GETCONF_|MALLOC_|LOC|NIS_|NLS|RES_|RESOLV_|HOSTALIASES|TZDIR|BASH|SHELLOPTS|ENV$|IFS$|PS\d|CDPATH|POSIXLY|MUSL_)/

const HEADER = 64
const PROGRAM_HEADER = 56
const CODE_AT = HEADER + PROGRAM_HEADER
const WORDS = 'the program cannot be started\n'

type Code = readonly (readonly [bytes: string, what: string])[]

/** Started as `starter PROGRAM [ARGUMENT…]`. */
const AMD64: Code = [
  ['488b7c2410', 'mov rdi, [rsp+16]      the program'],
  ['488d742410', 'lea rsi, [rsp+16]      its words'],
  ['488b0424', 'mov rax, [rsp]         how many words we have'],
  ['488d54c410', 'lea rdx, [rsp+rax*8+16] the variables, behind them'],
  ['4889d3', 'mov rbx, rdx           where they are read'],
  ['4889d5', 'mov rbp, rdx           where they are written'],
  ['488b03', 'next: mov rax, [rbx]'],
  ['4883c308', 'add rbx, 8'],
  ['4885c0', 'test rax, rax'],
  ['7421', 'jz done'],
  ['813857454654', "cmp dword [rax], 'WEFT'"],
  ['75ec', 'jne next               whoever started us has set it for itself'],
  ['48ffc0', 'find: inc rax'],
  ['8078ff00', 'cmp byte [rax-1], 0'],
  ['74e3', 'je next'],
  ['8078ff3d', "cmp byte [rax-1], '='"],
  ['75f1', 'jne find'],
  ['48894500', 'mov [rbp], rax         what is behind it is the variable'],
  ['4883c508', 'add rbp, 8'],
  ['ebd3', 'jmp next'],
  ['48894500', 'done: mov [rbp], rax   0: the end of them'],
  ['6a3b58', 'mov rax, 59            execve'],
  ['0f05', 'syscall'],
  ['6a0158', 'mov rax, 1             write, since it answered'],
  ['6a025f', 'mov rdi, 2'],
  ['488d350f000000', 'lea rsi, [words]'],
  ['6a1e5a', 'mov rdx, 30'],
  ['0f05', 'syscall'],
  ['6a7e5f', 'mov rdi, 126           as shells do'],
  ['b8e7000000', 'mov eax, 231           exit_group'],
  ['0f05', 'syscall'],
]

const ARM64: Code = [
  ['e90340f9', 'ldr x9, [sp]           how many words we have'],
  ['e00b40f9', 'ldr x0, [sp, 16]       the program'],
  ['e1430091', 'add x1, sp, 16         its words'],
  ['220c098b', 'add x2, x1, x9, lsl 3  the variables, behind them'],
  ['ea0302aa', 'mov x10, x2            where they are read'],
  ['eb0302aa', 'mov x11, x2            where they are written'],
  ['ecaa8852', 'mov w12, 0x4557'],
  ['cc88aa72', "movk w12, 0x5446, lsl 16: 'WEFT'"],
  ['4d8540f8', 'next: ldr x13, [x10], 8'],
  ['4d0100b4', 'cbz x13, done'],
  ['ae0140b9', 'ldr w14, [x13]'],
  ['df010c6b', 'cmp w14, w12'],
  ['81ffff54', 'b.ne next              whoever started us has set it for itself'],
  ['ae154038', 'find: ldrb w14, [x13], 1'],
  ['4effff34', 'cbz w14, next'],
  ['dff50071', "cmp w14, '='"],
  ['a1ffff54', 'b.ne find'],
  ['6d8500f8', 'str x13, [x11], 8      what is behind it is the variable'],
  ['f6ffff17', 'b next'],
  ['7f0100f9', 'done: str xzr, [x11]   the end of them'],
  ['a81b80d2', 'mov x8, 221            execve'],
  ['010000d4', 'svc 0'],
  ['400080d2', 'mov x0, 2              it answered'],
  ['e1000010', 'adr x1, words'],
  ['c20380d2', 'mov x2, 30'],
  ['080880d2', 'mov x8, 64             write'],
  ['010000d4', 'svc 0'],
  ['c00f80d2', 'mov x0, 126            as shells do'],
  ['c80b80d2', 'mov x8, 94             exit_group'],
  ['010000d4', 'svc 0'],
]
