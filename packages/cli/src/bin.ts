#!/usr/bin/env node
import { main } from './main.ts'

// the reader of a pipe may end first, as `| head` does
process.stdout.on('error', error => process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? 0 : 1))
process.exitCode = await main(process.argv.slice(2))
