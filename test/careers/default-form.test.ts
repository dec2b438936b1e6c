import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEMPLATE } from '../../demo/build/forms.ts'
import { defaultTexts } from '../../src/resources/jobs/defaults.ts'

test('default form: the texts of the demo’s forms are those of the default form, so that they are shown in the language of the page', () => {
  for (const { label, help_text = null, candidate_field = null } of TEMPLATE) {
    if (candidate_field === null) continue
    const found = defaultTexts({ id: 'own', label, help_text, candidate_field })
    assert.ok(found.is_default_label, label)
    assert.equal(found.is_default_help_text, help_text !== null, label)
  }
})

test('default form: the former spelling of a label is recognized, another label is not', () => {
  const email = { id: 'own', help_text: null, candidate_field: 'email' as const }
  assert.ok(defaultTexts({ ...email, label: 'E-mail address' }).is_default_label)
  assert.ok(!defaultTexts({ ...email, label: 'Work email' }).is_default_label)
})
