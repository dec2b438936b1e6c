import module from 'node:module'

/**
 * Compiles the modules of the service into the cache that bin/hiring.js enables: half the work of the first start
 * of a clone is that.
 */
export async function compileService(): Promise<void> {
  module.enableCompileCache()
  await Promise.all([import('../src/main.ts'), import('../demo/index.ts')])
  module.flushCompileCache()
}
