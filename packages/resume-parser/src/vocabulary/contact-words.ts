/** Words by which ways to reach a person are recognized. */

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Networks on which people have a name of their own. */
export const NETWORKS: readonly string[] = words(
  `linkedin linked-in github gitlab bitbucket twitter facebook instagram xing behance dribbble medium youtube tiktok
  mastodon bluesky threads stackoverflow stack-overflow stackexchange kaggle leetcode hackerrank orcid researchgate
  quora reddit pinterest snapchat vimeo soundcloud codepen devpost keybase viadeo goldenline vk weibo`,
)
  .flatMap(name => [name, name.charAt(0).toUpperCase() + name.slice(1), name.toUpperCase()])
  .concat('LinkedIn', 'Linked-In', 'GitHub', 'GitLab', 'YouTube', 'TikTok', 'StackOverflow', 'ResearchGate', 'LeetCode')

export const MESSENGERS: readonly string[] = words(
  'skype telegram whatsapp wechat weixin viber discord icq threema kakaotalk kakao jabber qq matrix',
)

export const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(
  words(`com org net io dev me info biz eu app ai co tech xyz page site online blog cloud design studio work works agency
  digital link bio name pro edu gov int tv cc ly gg sh so to fm
  ac uk us ca au nz ie de at ch li fr be nl lu es cat pt it sm mt pl cz sk hu ro bg hr si rs ba mk al gr cy tr ua by
  ru ee lv lt se no dk fi is br ar cl mx pe uy co ve in pk bd lk np jp kr cn hk tw sg my th vn ph id il ae sa qa eg
  ma tn za ng ke gh example test local invalid
  photography software engineer engineering codes photo photos art systems solutions consulting email contact
  website space store shop media social network expert ninja guru rocks world today life live team zone tools
  technology academy education institute portfolio community ventures company group international science computer
  domains services marketing graphics pics gallery video film audio studio coach training support care health legal
  finance
  рф рус укр бел бг мкд срб қаз ею ελ ευ 中国 中國 公司 网址 网站 网络 台灣 香港 한국 닷컴 コム みんな भारत ไทย`),
)

/** Names with a dot in them that are no hosts. */
export const DOMAIN_LIKE_NAMES: ReadonlySet<string> = new Set(
  words(`asp.net vb.net ado.net ml.net dot.net socket.io draw.io fast.ai cypress.io booking.com monday.com amazon.com
  salesforce.com force.com clickup.com cars.com hotels.com about.me make.com diagrams.net f.lux spacy.io spring.io
  character.ai c3.ai h2o.ai scale.ai wix.com godot.net paint.net quartz.net ph.d b.sc m.sc
  amazon.de web.de gmx.de zalando.de check24.de otto.de expedia.com priceline.com trivago.com agoda.com kayak.com
  overstock.com wayfair.com chewy.com care.com ancestry.com squarespace.com wordpress.com automattic.com box.com
  stability.ai people.ai outreach.io customer.io segment.io travis-ci.com circleci.com apollo.io fly.io
  crypto.com blockchain.com freelancer.com glassdoor.com indeed.com monster.com immobilienscout24.de drive.ai
  allegro.pl bol.com coolblue.nl apartments.com realtor.com vacations.com match.com lastminute.com skyscanner.net
  trade.me scikit.learn material.ui shadcn.ui ag.grid log4j.net log4.net nunit.net npgsql.net json.net entity.net`),
)

/** Networks whose names are words of every day too. */
export const COMMON_WORD_NETWORKS: ReadonlySet<string> = new Set(words('medium threads matrix vk qq discord signal'))

/** What the networks call their products, and words that follow their names in other texts. */
export const NETWORK_PRODUCTS: readonly string[] = words(
  `actions copilot pages enterprise packages codespaces desktop api apis ads ci cd ci/cd runner runners workflows learning
  recruiter sales navigator marketing business bot bots analytics insights graph sdk for and und or campaigns campaign
  profile n/a yes svn mercurial confluence trello slack teams zoom`,
)

/** Ends of names of files and libraries, which look like the ends of hosts. */
export const FILE_ENDS: ReadonlySet<string> = new Set(
  words(`js jsx ts tsx mjs cjs py rb go php html htm css scss json xml yml yaml csv txt md pdf doc docx xls xlsx ppt pptx
  exe dll jar war sql cpp hpp java kt swift cs vb lua bat ps ini cfg conf env log zip gz tar png jpg jpeg gif svg psd
  vue hs ex jl scala dart wasm`),
)

/** Parts of abbreviations that are written without spaces: dipl.ing, dr.med */
export const ABBREVIATIONS: ReadonlySet<string> = new Set(
  words(`dipl dr prof univ mag ing inf kfm med phil rer nat pol jur oec habil cand lic bzw inkl exkl resp ca vs nr tel str
  st approx etc incl excl max min avg eng sc zo sp`),
)

/** Parts of compounds and of names of tools that are written with a hyphen in lists: test-driven, scikit-learn */
export const COMPOUND_WORDS: ReadonlySet<string> = new Set(
  words(`based driven like style time end learn compose native functional solving oriented level scale quality stack side party
  term world free first wide making building speaking source code friendly ready cloud data cross self test front back full
  part real high low open multi problem decision team object event server client docker scikit spring react vue styled key
  long short two three four non pre post third user web well state large small fast detail goal result hands follow lead role
  cost sub inter setting setter thinking thinker player management managed tracking to the and for out off line page site
  tool tools kit app apps api cli boot router query select form forms table chart charts icons cache store graph mesh proxy
  gateway operator controller manager runner builder bot net lint format loader plugin core common utils server worker queue
  search index text image video audio media mail market marketing commerce business customer product project design
  components component hook hooks pattern patterns unit integration continuous delivery deployment pair code review mob story
  stakeholder conflict critical creative work home office remote on-site on site`),
)

/** Words for `@`, a full stop and other signs in an e-mail address that is spelled out; `point` is a word of sentences too. */
export const SPOKEN_AT = 'at|arroba|arobase|chiocciola|małpa|zavináč|klammeraffe|собака|собачка|παπάκι'
export const SPOKEN_DOT = 'dot|punkt|punto|ponto|kropka|tečka|bodka|точка|крапка|τελεία'
export const SPOKEN_SIGN = `${SPOKEN_DOT}|point|underscore|underline|unterstrich|bindestrich|hyphen|dash|minus|tiret`
