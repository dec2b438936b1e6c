// A process that runs what it is given.

import { answerQuestions, runTask, type Task, usage } from './child.ts'

answerQuestions({ task: ({ file, name, input }: Task) => runTask(file, name, input), usage }, async () => {})
