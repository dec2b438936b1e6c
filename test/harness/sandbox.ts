import { detectSandbox, type Sandbox } from '../../packages/resume-parser/src/index.ts'
import { sandboxNamed } from '../../packages/resume-parser/src/isolate.ts'

/** The sandbox that a trial chose for the whole run: a trial at each start of a service costs half a second of CPU. */
export async function sandboxOfRun(folders: readonly string[]): Promise<Sandbox> {
  const name = process.env['HIRING_TEST_SANDBOX']
  return (name && sandboxNamed(name, folders)) || detectSandbox(folders)
}
