import type { Reporter, TestModule } from 'vitest/node'

/**
 * Names every test that passed only when it was tried again. Such a test says something (about itself or about the code) that a green run
 * would hide; vitest's own list has it only where the test is slow.
 */
export default class RetriedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests()) {
        const { flaky = false, retryCount = 0 } = test.diagnostic() ?? {}
        if (flaky) process.stdout.write(`retried ${retryCount}x: ${module.relativeModuleId} > ${test.fullName}\n`)
      }
  }
}
