import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/kernel/db/sql.ts'
import { parseNext, scoreApplication } from '../../src/resources/applications/index.ts'
import { type FoundInResume, scoreMatch, type WantedByJob } from '../../src/resources/applications/score-rules.ts'
import { apply, newJob, readEvents, startWorld, upload } from './setup.ts'

const SKILLS = ['Go', 'SQL', 'C++', 'C#', '.NET', 'Node.js', 'Machine learning', 'R', 'React', 'SAP']
const LEVELS = ['intern', 'junior', 'mid', 'senior', 'lead', 'principal']
const skills = fc.uniqueArray(fc.constantFrom(...SKILLS), { maxLength: 8 })
const jobs: fc.Arbitrary<WantedByJob> = fc.record({
  skillsRequired: skills,
  skillsPreferred: skills,
  experienceLevel: fc.option(fc.constantFrom(...LEVELS)),
  yearsMin: fc.option(fc.integer({ min: 0, max: 20 })),
})
const resumes: fc.Arbitrary<FoundInResume> = fc.record({
  skills,
  text: fc.constantFrom('', 'worked with SQL, and a little React.', 'c++ programmer'),
  seniority: fc.option(fc.constantFrom(...LEVELS)),
  years: fc.option(fc.float({ min: 0, max: 40, noNaN: true })),
})

test('application score: a score is a whole number from 0 to 100, and the same for the same résumé and job', () => {
  fc.assert(
    fc.property(jobs, resumes, (job, resume) => {
      const score = scoreMatch(job, resume)
      assert.deepEqual(scoreMatch(job, resume), score)
      if (!score) return
      assert.ok(Number.isInteger(score.match_pct) && score.match_pct >= 0 && score.match_pct <= 100)
      assert.equal(score.match_pct === 100, score.gaps.length === 0)
      assert.notEqual(score.rationale, '')
    }),
  )
})

test('application score: monotone: one more skill, more years or a higher level never lowers the score and never adds a gap', () => {
  fc.assert(
    fc.property(jobs, resumes, fc.constantFrom(...SKILLS), fc.nat(10), (job, resume, skill, years) => {
      const before = scoreMatch(job, resume)
      if (!before) return
      for (const better of [
        { ...resume, skills: [...resume.skills, skill] },
        { ...resume, text: `${resume.text} ${skill}` },
        { ...resume, years: (resume.years ?? 0) + years },
        { ...resume, seniority: LEVELS[Math.min(5, LEVELS.indexOf(resume.seniority ?? '') + 1)]! },
      ]) {
        const after = scoreMatch(job, better)!
        assert.ok(after.match_pct >= before.match_pct)
        assert.ok(after.gaps.length <= before.gaps.length)
      }
    }),
  )
})

test('application score: the order of skills does not matter, nor does their spelling', () => {
  fc.assert(
    fc.property(jobs, resumes, (job, resume) => {
      const turned = { ...job, skillsRequired: job.skillsRequired.toReversed() }
      assert.equal(scoreMatch(turned, resume)?.match_pct, scoreMatch(job, resume)?.match_pct)
      const loud = { ...resume, skills: resume.skills.map(s => ` ${s.toUpperCase()} `) }
      assert.equal(scoreMatch(job, loud)?.match_pct, scoreMatch(job, resume)?.match_pct)
    }),
  )
})

const job = (more: Partial<WantedByJob>): WantedByJob => ({
  skillsRequired: [],
  skillsPreferred: [],
  experienceLevel: null,
  yearsMin: null,
  ...more,
})
const resume = (more: Partial<FoundInResume>): FoundInResume => ({
  skills: [],
  text: '',
  seniority: null,
  years: null,
  ...more,
})

test('application score: explained: every missing point is a gap', () => {
  const score = scoreMatch(
    job({ skillsRequired: ['Go', 'Rust'], skillsPreferred: ['SQL'], experienceLevel: 'senior', yearsMin: 5 }),
    resume({ skills: ['go'], seniority: 'mid', years: 2.5 }),
  )
  assert.deepEqual(score, {
    match_pct: 43,
    gaps: [
      'required skill not found: Rust',
      'preferred skill not found: SQL',
      '2.5 years of experience (5 required)',
      'level mid (senior required)',
    ],
    rationale:
      '1 of 2 required skills found (not Rust). 0 of 1 preferred skills found (not SQL). 2.5 years of experience (5 required). Level: mid (senior required).',
  })
})

test('application score: explained: what is as required says so', () => {
  const wanted = job({ experienceLevel: 'mid', yearsMin: 3 })
  const score = scoreMatch(wanted, resume({ seniority: 'mid', years: 3.8 }))
  assert.deepEqual(score, {
    match_pct: 100,
    gaps: [],
    rationale: '3.8 years of experience (3 required). Level: mid (as required).',
  })
})

test('application score: a skill is a word of its own: C is not C++, Java is not JavaScript', () => {
  const has = (skill: string, text: string) => scoreMatch(job({ skillsRequired: [skill] }), resume({ text }))?.match_pct
  assert.equal(has('C', 'wrote C++ and C# for years'), 0)
  assert.equal(has('Java', 'a JavaScript developer'), 0)
  assert.equal(has('C++', 'wrote C++, Go.'), 100)
  assert.equal(has('Go', 'wrote C++, Go.'), 100)
  assert.equal(has('Node.js', 'services in Node.js.'), 100)
  assert.equal(has('machine-learning', 'applied machine learning'), 100)
})

test('application score: no score for a job without requirements', () => {
  assert.equal(scoreMatch(job({}), resume({ skills: ['Go'] })), undefined)
})

test('application score: application.scored: when the score is new or changed, not when it is the same', async () => {
  const world = await startWorld()
  const { service, workspace } = world
  const { db, blobs, log } = service.services
  const own = await newJob(service, workspace, { required: ['Go', 'Rust'] })
  const file = Buffer.from('Ada Byron\nSenior Engineer\nSkills\nGo, SQL\nExperience\nEngineer, Acme\n2015 - 2020\n')
  const app = await apply({ ...world, job: own }, { resume_upload_id: await upload(world, file) })
  await parseNext(db, blobs, log)
  const scored = async () =>
    (await readEvents(world, workspace))
      .filter(e => e.type === 'application.scored')
      .map(e => e.data.object['match_pct'])
  assert.equal((await scored()).length, 1)
  const rescore = () => db.transaction(tx => scoreApplication(tx, workspace, app.id))
  await rescore()
  assert.equal((await scored()).length, 1)
  await db.query(sql`update jobs set skills_required = '["Go"]' where id = ${own.id}`)
  await rescore()
  const [before, after] = (await scored()) as number[]
  assert.ok(after! > before!)
})
