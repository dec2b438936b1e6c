// The server under test, in a process of its own.

import { serveCommands } from './child.ts'
import { serverCommands } from './server.ts'

serveCommands(serverCommands())
