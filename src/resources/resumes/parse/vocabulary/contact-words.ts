/** Words by which ways to reach a person are recognized. */

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Networks on which people have a name of their own. */
export const NETWORKS: readonly string[] = words(
  `linkedin linked-in github gitlab bitbucket twitter facebook instagram xing behance dribbble medium youtube tiktok
  mastodon bluesky threads stackoverflow stack-overflow stackexchange kaggle leetcode hackerrank orcid researchgate
  quora reddit pinterest snapchat vimeo soundcloud codepen devpost keybase viadeo goldenline vk weibo`,
)
  .flatMap(name => [name, name[0]!.toUpperCase() + name.slice(1), name.toUpperCase()])
  .concat('LinkedIn', 'Linked-In', 'GitHub', 'GitLab', 'YouTube', 'TikTok', 'StackOverflow', 'ResearchGate', 'LeetCode')

export const MESSENGERS: readonly string[] = words(
  'skype telegram whatsapp wechat weixin viber discord icq threema kakaotalk kakao jabber qq matrix',
)

export const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(
  words(`com org net io dev me info biz eu app ai co tech xyz page site online blog cloud design studio work works agency
  digital link bio name pro edu gov int tv cc ly gg sh so to fm
  ac uk us ca au nz ie de at ch li fr be nl lu es cat pt it sm mt pl cz sk hu ro bg hr si rs ba mk al gr cy tr ua by
  ru ee lv lt se no dk fi is br ar cl mx pe uy co ve in pk bd lk np jp kr cn hk tw sg my th vn ph id il ae sa qa eg
  ma tn za ng ke gh example test local invalid`),
)

/** Names with a dot in them that are no hosts. */
export const DOMAIN_LIKE_NAMES: ReadonlySet<string> = new Set(
  words(`asp.net vb.net ado.net ml.net dot.net socket.io draw.io fast.ai cypress.io booking.com monday.com amazon.com
  salesforce.com force.com clickup.com cars.com hotels.com about.me make.com diagrams.net f.lux spacy.io spring.io
  character.ai c3.ai h2o.ai scale.ai wix.com godot.net paint.net quartz.net ph.d b.sc m.sc`),
)
