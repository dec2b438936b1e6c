import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleFile } from '../../../src/kernel/config/config.ts'

// Run by recipes.test.ts in a copy of the repository to which the recipe "Add a setting" was applied.

test('setting: .env.example has it with its description and default', () => {
  const written = '# Seconds before a new member is greeted.\n# Default: 60\n#GREETING_DELAY_SECONDS=\n'
  assert.ok(exampleFile().includes(written))
})
