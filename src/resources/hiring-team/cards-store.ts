import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { CardDraft } from './rules.ts'
import { isForStage, WRITTEN_SINCE } from './store.ts'

/** The reader of scorecards. */
export interface CardReader {
  userId: string
  /** reads what others of the team wrote; without it, only what is about stages for which the reader wrote a card */
  team: boolean
}

/** A card `o` of the reader since the request, about what was requested. */
const HAS_OWN_CARD = (workspace: string, userId: string, since: Sql, stage: Sql) => sql`exists (
  select from scorecards o where o.workspace_id = ${workspace} and o.application_id = c.application_id
    and o.author_user_id = ${userId} and o.created_at >= ${since} and ${isForStage(stage, sql`o.stage_id`)})`

/**
 * Whether the card `c` is hidden from the reader because they were asked about its stage and their own card is not in. Who
 * is planned to interview the candidate was asked, too.
 */
const isCardHidden = (
  workspace: string,
  { userId }: CardReader,
) => sql`(c.author_user_id is distinct from ${userId} and (
  exists (select from scorecard_requests r
    where r.workspace_id = ${workspace} and r.application_id = c.application_id and r.user_id = ${userId}
      and ${isForStage(sql`r.stage_id`, sql`c.stage_id`)}
      and not ${HAS_OWN_CARD(workspace, userId, sql`r.requested_at`, sql`r.stage_id`)})
  or exists (select from interviews i
    join interview_people p on p.workspace_id = ${workspace} and p.interview_id = i.id and p.user_id = ${userId}
    where i.workspace_id = ${workspace} and i.application_id = c.application_id and i.feedback_asked_at is null
      and (i.state = 'scheduled' or i.state = 'proposed' and i.offered_until > app_now())
      and ${isForStage(sql`i.stage_id`, sql`c.stage_id`)}
      and not ${HAS_OWN_CARD(workspace, userId, sql`i.created_at`, sql`i.stage_id`)})))`

/** Whether the reader sees what the card `c` says. */
export const isCardVisible = (workspace: string, reader: CardReader) => sql`(
  c.author_user_id is not distinct from ${reader.userId}
  or (${reader.team}::boolean or exists (select from scorecards o
      where o.workspace_id = ${workspace} and o.application_id = c.application_id
        and o.author_user_id = ${reader.userId} and o.stage_id is not distinct from c.stage_id))
    and not ${isCardHidden(workspace, reader)})`

export interface Remark {
  id: string
  body: string
  created_at: string
}

export interface PanelCard {
  id: string
  author_user_id: string | null
  recommendation: string
  summary: string | null
  ratings: { name: string; score: number; comment: string | null }[]
  stage_name: string | null
  interviewed_at: string | null
  report_url: string | null
  created_at: string
  mine: boolean
  /** what the author added later, the oldest first */
  remarks: Remark[]
}

/** More cards than this about one application are not read; no panel is so large. */
const MAX_CARDS = 200

/** The cards that the reader sees. */
export const panelCards = (workspace: string, applicationId: string, reader: CardReader) =>
  sql<PanelCard>`
    select c.id, c.author_user_id, c.recommendation, c.summary, c.ratings, c.interviewed_at, c.report_url, c.created_at,
      coalesce(c.author_user_id = ${reader.userId}, false) as mine,
      (select s.name from pipeline_stages s where s.workspace_id = ${workspace} and s.id = c.stage_id) as stage_name,
      (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'body', m.body,
          'created_at', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          order by m.created_at, m.id), '[]')
        from scorecard_remarks m where m.workspace_id = ${workspace} and m.scorecard_id = c.id) as remarks
    from scorecards c
    where c.workspace_id = ${workspace} and c.application_id = ${applicationId} and ${isCardVisible(workspace, reader)}
    order by c.created_at desc, c.id limit ${MAX_CARDS}`

export const countHiddenCards = (workspace: string, applicationId: string, reader: CardReader) =>
  sql<{ hidden: number }>`
    select count(*)::integer as hidden from scorecards c
    where c.workspace_id = ${workspace} and c.application_id = ${applicationId} and ${isCardHidden(workspace, reader)}`

/** How the panel sees a candidate: nothing but their number while cards are hidden from the reader. */
export interface CardSummary {
  application_id: string
  cards: number
  hidden: number
  /** the mean of all ratings, from two cards on */
  average: number | null
  /** how often each recommendation was given */
  recommendations: Record<string, number> | null
}

/** Applications without cards have no row. */
export const cardSummaries = (workspace: string, applicationIds: readonly string[], reader: CardReader) =>
  sql<CardSummary>`
    select application_id, count(*)::integer as cards, (count(*) filter (where hidden))::integer as hidden,
      case when count(*) > 1 and not bool_or(hidden) then round(sum(total) / nullif(sum(ratings), 0), 1)::float8 end as average,
      case when not bool_or(hidden) then jsonb_build_object(
        'strong_yes', count(*) filter (where recommendation = 'strong_yes'),
        'yes', count(*) filter (where recommendation = 'yes'),
        'no_decision', count(*) filter (where recommendation = 'no_decision'),
        'no', count(*) filter (where recommendation = 'no'),
        'strong_no', count(*) filter (where recommendation = 'strong_no')) end as recommendations
    from (
      select c.application_id, c.recommendation, ${isCardHidden(workspace, reader)} as hidden,
        jsonb_array_length(c.ratings)::numeric as ratings,
        (select sum((x ->> 'score')::numeric) from jsonb_array_elements(c.ratings) x) as total
      from scorecards c
      where c.workspace_id = ${workspace} and c.application_id = any(${applicationIds}::text[])
        and (${isCardVisible(workspace, reader)} or ${isCardHidden(workspace, reader)})) s
    group by application_id`

export interface CardRequest {
  user_id: string
  requested_at: string
  /** null: all stages */
  stage_id: string | null
  /** null also for a stage that was deleted */
  stage_name: string | null
  done: boolean
}

export const cardRequests = (workspace: string, applicationId: string) =>
  sql<CardRequest>`
    select r.user_id, r.requested_at, r.stage_id, ${WRITTEN_SINCE(workspace)} as done,
      (select s.name from pipeline_stages s where s.workspace_id = ${workspace} and s.id = r.stage_id) as stage_name
    from scorecard_requests r
    where r.workspace_id = ${workspace} and r.application_id = ${applicationId}
    order by r.requested_at, r.user_id`

/**
 * Requests for a scorecard about the stage of the application. The application is locked, so that no request comes between
 * this and the look at those that are open.
 */
export const requestCards = (workspace: string, applicationId: string, users: readonly string[], by: string) => sql`
  insert into scorecard_requests (workspace_id, application_id, user_id, requested_by, stage_id)
  select a.workspace_id, a.id, u.user_id, ${by}, a.stage_id from applications a, unnest(${users}::text[]) as u (user_id)
  where a.workspace_id = ${workspace} and a.id = ${applicationId}
  on conflict (workspace_id, application_id, user_id) do update
    set requested_by = excluded.requested_by, requested_at = excluded.requested_at, stage_id = excluded.stage_id`

/** Who was asked about another stage and has not written a card is asked about all stages: cards of before do not count. */
export const widenRequests = (
  workspace: string,
  applicationId: string,
  users: readonly string[],
  stageId: string,
) => sql`
  update scorecard_requests set stage_id = null, requested_at = app_now()
  where workspace_id = ${workspace} and application_id = ${applicationId} and user_id = any(${users}::text[])
    and stage_id is distinct from ${stageId}`

export const withdrawCardRequest = (workspace: string, applicationId: string, userId: string) =>
  sql<{ user_id: string }>`
    delete from scorecard_requests
    where workspace_id = ${workspace} and application_id = ${applicationId} and user_id = ${userId} returning user_id`

/** The author of a card, while no one deletes it. */
export const ownCard = (workspace: string, applicationId: string, cardId: string, userId: string) =>
  sql<{ id: string }>`
    select id from scorecards where workspace_id = ${workspace} and id = ${cardId}::uuid
      and application_id = ${applicationId} and author_user_id = ${userId} for key share`

export const insertRemark = (workspace: string, remark: { id: string; cardId: string; body: string }) =>
  sql<Remark>`
    insert into scorecard_remarks (workspace_id, id, scorecard_id, body)
    values (${workspace}, ${remark.id}::uuid, ${remark.cardId}::uuid, ${remark.body})
    returning id, body, created_at`

export interface StoredDraft {
  content: CardDraft
  version: string
  updated_at: string
}

/** The draft of one member about one application. */
export interface DraftKey {
  workspace: string
  applicationId: string
  userId: string
}

export const selectDraft = ({ workspace, applicationId, userId }: DraftKey) =>
  sql<StoredDraft>`
    select content, version, updated_at from scorecard_drafts
    where workspace_id = ${workspace} and application_id = ${applicationId} and user_id = ${userId}`

export const putDraft = ({ workspace, applicationId, userId }: DraftKey, content: CardDraft, version: string) =>
  sql<StoredDraft>`
    insert into scorecard_drafts (workspace_id, application_id, user_id, content, version)
    values (${workspace}, ${applicationId}, ${userId}, ${JSON.stringify(content)}::jsonb, ${version}::uuid)
    on conflict (workspace_id, application_id, user_id) do update
      set content = excluded.content, version = excluded.version, updated_at = excluded.updated_at
    returning content, version, updated_at`

export const removeDraft = ({ workspace, applicationId, userId }: DraftKey) => sql`
  delete from scorecard_drafts
  where workspace_id = ${workspace} and application_id = ${applicationId} and user_id = ${userId}`
