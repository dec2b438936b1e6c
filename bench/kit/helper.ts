// A process that runs what it is given.

import { runTask, serveCommands, type Task, usage } from './child.ts'

serveCommands({ handlers: { task: ({ file, name, input }: Task) => runTask(file, name, input), usage } })
