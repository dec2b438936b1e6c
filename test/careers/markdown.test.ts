import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import fc from 'fast-check'
import { excerpt, renderMarkdown } from '../../src/careers/markdown.ts'

const render = (source: string): string => renderMarkdown(source).text

const ALLOWED = new Set(
  'p br hr strong em b i u s del sub sup code pre blockquote ul ol li h2 h3 h4 a table thead tbody tr th td'.split(' '),
)

/** Every tag of a rendered text, with its attributes. */
const tagsIn = (text: string) =>
  [...text.matchAll(/<(\/?)([a-z0-9]+)((?:\s[^<>]*)?)>/gi)].map(([, , name, attributes]) => ({
    name: name!.toLowerCase(),
    attributes: attributes!.trim(),
  }))

function assertSafe(source: string): void {
  const text = render(source)
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

test('endless Markdown: rendered within a second, as it was written where it nests without end', () => {
  const N = 30_000
  const endless: Record<string, string> = {
    quotes: '>'.repeat(N),
    'quotes with blanks': '> '.repeat(N / 2),
    lists: `${'- '.repeat(N / 2)}a`,
    numbers: `${'1. '.repeat(N / 3)}a`,
    underscores: '_a'.repeat(N / 2),
    strong: '**a'.repeat(N / 3),
    brackets: '['.repeat(N),
    links: '[a]('.repeat(N / 4),
    pictures: '!['.repeat(N / 2),
    ticks: '`a'.repeat(N / 2),
    tags: '<b>'.repeat(N / 3),
    divs: '<div>'.repeat(N / 5),
    signs: '<'.repeat(N),
    mails: 'a@a.'.repeat(N / 4),
    deeper: Array.from({ length: 240 }, (_, i) => `${' '.repeat(i)}- a`).join('\n'),
  }
  // what the same number of plain words takes on this machine
  const plain = time(() => renderMarkdown('words and more '.repeat(N / 15)))
  for (const [name, source] of Object.entries(endless)) {
    const took = time(() => assertSafe(source))
    assert.ok(took < Math.max(3000, plain * 500), `${name}: ${took.toFixed(0)} ms`)
  }
})

function time(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

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

test('excerpt: the first words, without markup', () => {
  assert.equal(excerpt(renderMarkdown('# Hello\n\nYou & **we** <build>')), 'Hello You & we')
  assert.equal(excerpt(renderMarkdown('word '.repeat(100)), 20), 'word word word…')
})
