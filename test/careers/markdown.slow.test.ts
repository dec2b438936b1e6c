import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clock } from '../../src/kernel/time/clock.ts'
import { excerpt, previewMarkdown, renderMarkdown } from '../../src/pages/markdown.ts'
import { MAX_RENDERED, render as rendered } from '../../src/pages/markdown-worker.ts'
import { until } from '../harness/receiver.ts'
import { startCareers } from './setup.ts'

const { addJob, newSite } = await startCareers()

const render = (source: string): string => rendered(source) ?? ''

const ALLOWED = new Set(
  'p br hr strong em b i u s del sub sup code pre blockquote ul ol li h2 h3 h4 a table thead tbody tr th td'.split(' '),
)

/** Every tag of a rendered text, with its attributes. */
const tagsIn = (text: string) =>
  [...text.matchAll(/<(\/?)([a-z0-9]+)((?:\s[^<>]*)?)>/gi)].map(([, , name, attributes]) => ({
    name: name!.toLowerCase(),
    attributes: attributes!.trim(),
  }))

const assertSafe = (source: string): void => assertSafeText(render(source), source)

function assertSafeText(text: string, source: string): void {
  for (const { name, attributes } of tagsIn(text)) {
    assert.ok(ALLOWED.has(name), `<${name}> of ${source}`)
    if (attributes === '' || attributes === '/') continue
    if (name === 'ol') assert.match(attributes, /^start="\d{1,6}"$/)
    else
      assert.match(
        `${name} ${attributes}`,
        /^a href="(?:https?:\/\/|mailto:|tel:)[^"<>\s]+" rel="noopener nofollow"$/i,
        source,
      )
  }
  // nothing that a browser could take for a tag is left besides those above
  assert.doesNotMatch(text.replace(/<\/?[a-z0-9]+(?:\s[^<>]*)?>/gi, ''), /</, source)
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '![x](javascript:alert(1))',
  '![x](https://tracker.example/p.gif)',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:msgbox)',
  '[x](//evil.example)',
  '[x](/careers/other)',
  '<a href="https://ok.example" onclick="alert(1)" target="_blank" style="position:fixed">x</a>',
  '<a href=\'https://ok.example/"onmouseover="alert(1)\'>x</a>',
  '<svg onload=alert(1)><a xlink:href="javascript:alert(1)">x</a></svg>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<iframe src="https://evil.example"></iframe>',
  '<form action="https://evil.example"><input name=password><button>Sign in</button></form>',
  '<style>body{display:none}</style>',
  '<link rel=stylesheet href=//evil.example>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<base href="//evil.example">',
  '<p id="content" class="skip">x</p>',
  '<div style="position:fixed;inset:0">x</div>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea></textarea><script>alert(1)</script>',
  '`<script>alert(1)</script>`',
  '```\n</code></pre><script>alert(1)</script>\n```',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<a href="https://ok.example">\n\n<b>',
  '<ol start="1;alert(1)"><li>x</ol>',
  '<h1>big</h1>',
  '<https://ok.example/?a=1&b=<script>>',
]

test('hostile Markdown: only plain text markup is left, links only to the web, mail and phones', () => {
  for (const source of HOSTILE) assertSafe(source)
})

test('hostile Markdown: no mixture of its parts gets through', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.constantFrom(...HOSTILE),
          fc.string({ maxLength: 12 }),
          fc.constantFrom('<', '>', '"', "'", '`', '\n', '&#x3c;', '\\'),
        ),
        {
          maxLength: 8,
        },
      ),
      parts => assertSafe(parts.join('')),
    ),
    { numRuns: 1500 },
  )
})

/** The longest description of a job. */
const LONGEST = 30_000

/** Parts that take long, nest or become longer when they are repeated. */
const REPEATED = [
  ...[
    '>',
    '> ',
    '- ',
    '1. ',
    '_a',
    '**a',
    '*a_',
    '~~a',
    '[',
    '[a](',
    '[a](b "',
    '![',
    '`',
    '`a',
    '<b>',
    '<div>',
    '<',
    '<a ',
  ],
  ...[
    '<!--',
    '<?',
    '<![CDATA[',
    '</',
    '&',
    '&amp;',
    '&#1;',
    '\\',
    '\\\n',
    ']',
    '](',
    '[a]',
    '[a][a] ',
    '|',
    '|\n',
    '|-',
    '"',
  ],
  ...[
    'a@a.',
    'a@a.a ',
    'www.a.b ',
    'http://a.b ',
    '1. a\n',
    '- a\n',
    '- [ ] a\n',
    '- a\n\n',
    '> a\n\n',
    '>\n',
    'a\n-\n',
  ],
  ...[
    'a|b\n-|-\n',
    '|a|\n|-|\n\n',
    '```\n',
    '~~~\n',
    '    a\n',
    '# a\n',
    '***\n',
    '\t',
    ' ',
    '\n',
    'a\n',
    'a  \n',
    '[a]: b\n',
  ],
  ...[
    '<div>\n\n',
    '<pre>',
    '<ol><li>',
    '<table><tr><td>',
    '* _a_ ',
    '"a" ',
    '- - a\n',
    '  - a\n',
    '1) a\n2. b\n',
    '[^a]',
    '()',
  ],
]

const filled = (part: string) => part.repeat(Math.ceil(LONGEST / part.length)).slice(0, LONGEST)
const table = (columns: number, row: string) =>
  `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${filled(row)}`.slice(0, LONGEST)

const ENDLESS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(REPEATED.map(part => [`${JSON.stringify(part)} repeated`, filled(part)])),
  ...Object.fromEntries(
    [2, 10, 40, 600, 3000, 7000].flatMap(columns =>
      ['|\n', 'a\n', '> |\n', '||\n', 'a|b\r'].map(row => [
        `a table of ${columns} columns, ${JSON.stringify(row)}`,
        table(columns, row),
      ]),
    ),
  ),
  'a table in a quote': table(600, '|\n').slice(0, 12_000).replaceAll(/^/gm, '> '),
  'a long definition that is named often': `[a]: http://${'x'.repeat(LONGEST / 2)}\n\n${filled('[a] ')}`.slice(
    0,
    LONGEST,
  ),
  'a definition that is named often': `[a]: http://${'x'.repeat(900)}\n\n${filled('[a] ')}`.slice(0, LONGEST),
  'a long title that is named often': `[a]: b '${'"'.repeat(LONGEST / 2)}'\n\n${filled('[a] ')}`.slice(0, LONGEST),
  'deeper lists': Array.from({ length: 240 }, (_, i) => `${' '.repeat(i)}- a`).join('\n'),
  'deeper brackets': '['.repeat(LONGEST / 2) + ']'.repeat(LONGEST / 2),
}

for (const [name, source] of Object.entries(ENDLESS)) assert.ok(source.length <= LONGEST, name)

/** A workspace of its own for each text: those with slow texts are limited. */
let workspaces = 0
const nextWorkspace = () => `workspace ${++workspaces}`

test('endless Markdown: the result has a limited length, and is never more than plain markup', {
  timeout: 300_000,
}, async () => {
  for (const [name, source] of Object.entries(ENDLESS)) {
    const { text } = await renderMarkdown(nextWorkspace(), source)
    assert.ok(text.length <= MAX_RENDERED, `${name}: ${text.length}`)
    assertSafeText(text, name)
  }
})

test('endless Markdown: no mixture exceeds the length', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...REPEATED), { minLength: 1, maxLength: 5 }),
      fc.constantFrom('', '[a]: http://a.b/\n\n', '|a|b|c\n|-|-|-\n', '> ', '- '),
      async (parts, before) => {
        const { text } = await renderMarkdown(nextWorkspace(), (before + filled(parts.join(''))).slice(0, LONGEST))
        assert.ok(text.length <= MAX_RENDERED, `${text.length}`)
      },
    ),
    { numRuns: 20 },
  )
})

test('tables: as it was written where rows that are filled up would make more cells than a text has', async () => {
  const bomb = table(600, '|\n')
  assert.equal(rendered(bomb), undefined)
  assert.match((await renderMarkdown(nextWorkspace(), bomb)).text, /^<p>\|a\|a/)
  const usual = `|${'a|'.repeat(8)}\n|${'-|'.repeat(8)}\n${`|${'b|'.repeat(8)}\n`.repeat(500)}`
  assert.equal(render(usual).match(/<td>b<\/td>/g)!.length, 4000)
})

test('job page with Markdown without end: 200, and other requests get responses while it is rendered', async () => {
  const site = await newSite()
  const job = await addJob(site, { title: 'Endless', content: { description_md: filled('b\n-\n') } })
  let done = false
  const endless = fetch(`${site.url}/jobs/${job.slug}`).finally(() => {
    done = true
  })
  // rendered between requests, it would leave the process no time for others
  let turns = 0
  for (; !done; turns++) await new Promise(setImmediate)
  assert.ok(turns >= 50, `${turns} turns`)
  assert.equal((await endless).status, 200)
  assert.match(await (await endless).text(), /<h1>Endless<\/h1>/)
})

test('job page, feed and list of jobs with a table of 600 columns: 200, as it was written', async () => {
  const site = await newSite()
  const job = await addJob(site, {
    title: 'Wide',
    locations: ['Berlin'],
    content: { description_md: table(600, '|\n') },
  })
  for (const path of [`/jobs/${job.slug}`, '/feed.atom', '/jobs.xml']) {
    const response = await fetch(site.url + path)
    assert.equal(response.status, 200, path)
    assert.match(await response.text(), /p(?:>|&gt;)\|a\|a/, path)
  }
})

test('Markdown that meets the limit of time or memory of its thread: as it was written, and the next one is rendered', async () => {
  for (const source of ['a\n-\n'.repeat(60_000), 'a\n\n'.repeat(600_000)]) {
    assert.match((await renderMarkdown(nextWorkspace(), source)).text, /^<p>a/)
    const after = `<p><strong>after</strong> ${source.length}</p>\n`
    await until('the next one', async () => {
      return (await renderMarkdown(nextWorkspace(), `**after** ${source.length}`)).text === after
    })
  }
})

test('Markdown with thousands of signs and no blank: as it was written, before anything looks for links in it', () => {
  for (const source of [`N http://a.b${'?!.,'.repeat(7480)}`, `${'a.'.repeat(15_000)}@`, 'x'.repeat(2001)])
    assert.equal(rendered(source), undefined)
  assert.match(render(`**a** ${'x'.repeat(2000)}\n${'y'.repeat(2000)}`), /^<p><strong>a<\/strong> x/)
})

test('slow Markdown of a workspace: no other waits for it; after three such texts all of its are as they were written for ten minutes', async () => {
  const [slow, other] = [await newSite(), await newSite()]
  const urlOf = async (site: typeof slow, description_md: string) =>
    `${site.url}/jobs/${(await addJob(site, { title: 'Slow', content: { description_md } })).slug}`
  const get = async (url: string) => (await fetch(url)).text()
  const page = async (site: typeof slow, text: string) => get(await urlOf(site, text))
  // on a busy machine the first page may not have waited long enough
  const isRendered = async (site: typeof slow, word: string) => {
    const url = await urlOf(site, `**${word}**`)
    await until(word, async () => (await get(url)).includes(`<strong>${word}</strong>`))
  }
  await isRendered(slow, 'before')
  // longer than a job's description can be, so that it takes too long on the fastest machine
  const texts = Array.from({ length: 5 }, (_, i) => `slow ${i}\n\n${'b\n-\n'.repeat(15_000)}`)
  const slowOnes = Promise.all(texts.map(text => renderMarkdown(slow.workspace, text)))
  for (let i = 0; i < 5; i++) await isRendered(other, `other ${i}`)
  for (const { text } of await slowOnes) assert.match(text, /<p>slow \d<\/p>/)
  // as it was written although the page did not wait for it
  await until('the workspace is slow', async () => {
    const url = await urlOf(slow, `**during ${++workspaces}**`)
    const begun = performance.now()
    return (await get(url)).includes('<p>**during') && performance.now() - begun < 800
  })
  assert.match(await page(slow, '**before**'), /<strong>before<\/strong>/, 'what was rendered before is kept')
  clock.advance(601_000)
  await isRendered(slow, 'after')
  clock.reset()
})

test('slow previews of a person: no careers page of the workspace waits or is shown as written; nor do previews of others', async () => {
  const site = await newSite()
  const isRendered = (word: string, render: (text: string) => Promise<{ text: string }>) =>
    until(word, async () => (await render(`**${word}**`)).text.includes(`<strong>${word}</strong>`))
  const texts = Array.from({ length: 5 }, (_, i) => `preview ${i}\n\n${'b\n-\n'.repeat(15_000)}`)
  const page = (text: string) => renderMarkdown(site.workspace, text)
  const slowOnes = Promise.all(texts.map(text => previewMarkdown(site.workspace, 'usr_slow', text)))
  await isRendered('page during', page)
  for (const { text } of await slowOnes) assert.match(text, /<p>preview \d<\/p>/)
  await until('the person is slow', async () => {
    const begun = performance.now()
    const { text } = await previewMarkdown(site.workspace, 'usr_slow', `**mine ${++workspaces}**`)
    return text.startsWith('<p>**mine') && performance.now() - begun < 800
  })
  await isRendered('page after', page)
  await isRendered('preview of another', text => previewMarkdown(site.workspace, 'usr_other', text))
  // what failed in a preview is not kept for pages: they try the texts themselves, until the workspace is slow
  for (const text of texts.slice(0, 3)) await page(text)
  await until('the workspace is slow', async () => (await page(`**own ${++workspaces}**`)).text.startsWith('<p>**own'))
})

test('Markdown: headings begin at the second level and skip none', () => {
  assert.equal(render('# A\n\n### B\n\n###### C').replaceAll('\n', ''), '<h2>A</h2><h3>B</h3><h4>C</h4>')
  assert.equal(render('### A').trim(), '<h2>A</h2>')
})

test('Markdown: lists, emphasis, links, tables and quotes are kept', () => {
  const text = render(
    '**Bold** and *thin* and [site](https://acme.example/a?b=1&c=2)\n\n- one\n- two\n\n3. three\n\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  )
  assert.match(text, /<strong>Bold<\/strong> and <em>thin<\/em>/)
  assert.match(text, /<a href="https:\/\/acme\.example\/a\?b=1&amp;c=2" rel="noopener nofollow">site<\/a>/)
  assert.match(text, /<ul>\s*<li>one<\/li>\s*<li>two<\/li>\s*<\/ul>\s*<ol start="3">/)
  assert.match(text, /<blockquote>\s*<p>said<\/p>\s*<\/blockquote>/)
  assert.match(text, /<td>1<\/td>/)
})

test('excerpt: the first words, without markup', async () => {
  assert.equal(excerpt(await renderMarkdown(nextWorkspace(), '# Hello\n\nYou & **we** <build>')), 'Hello You & we')
  assert.equal(excerpt(await renderMarkdown(nextWorkspace(), 'word '.repeat(100)), 20), 'word word word…')
})

test('careers markdown: a picture leaves no paragraph of its own; its text stays in a sentence and in a link', () => {
  const picture = '![team](https://acme.example/team.png)'
  assert.equal(
    rendered(`We build.\n\n${picture} ${picture}\n\n<img src=x alt=team>\n\nJoin us.`),
    '<p>We build.</p>\n<p>Join us.</p>\n',
  )
  assert.equal(rendered(`Our ${picture} builds.`), '<p>Our team builds.</p>\n')
  assert.match(
    rendered(`[${picture}](https://acme.example/)`)!,
    /^<p><a href="https:\/\/acme\.example\/"[^>]*>team<\/a><\/p>$/m,
  )
})
