-- Profiles hold no contact details in disguised forms either: hidden characters, other forms of characters, other
-- separators, signs that are spelled out. The reader finds them now; this cleans the profiles that were stored before.
-- A text is searched in its plain form. It is replaced only when something was found in it.

create function pg_temp.plain(given text) returns text language plpgsql as $$
declare
  t text := given;
begin
  -- hidden characters and marks that lie over others
  t := regexp_replace(normalize(t, NFC), E'[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\u0300-\u036F\u20D0-\u20F0\U000E0000-\U000E01EF]', '', 'g');
  t := normalize(t, NFKC);
  t := regexp_replace(t, '[‐‑‒–—―−]', '-', 'g');
  t := regexp_replace(t, '[‘’‚‛′ʼ`´]', '''', 'g');
  t := regexp_replace(t, '[“”„‟″«»]', '"', 'g');
  t := regexp_replace(t, '%40|&#0*64;|&commat;', '@', 'gi');
  t := regexp_replace(t, ' {0,2}[(\[{<] ?(at|ät|@|arroba|chiocciola|chez) ?[)\]}>] {0,2}', '@', 'g');
  t := regexp_replace(t, ' {0,2}[(\[{<] ?(dot|punkt|point|punto|ponto|kropka|d0t|\.) ?[)\]}>] {0,2}', '.', 'gi');
  return t;
end $$;

create function pg_temp.without_phones(given text) returns text language plpgsql as $$
declare
  found text := given;
  candidate text;
  own text;
  bare text;
  head integer;
  one_date constant text := '[('']?(([0-9]{1,2}[./-]){0,2}(1[6-9]|20)[0-9]{2}|(1[6-9]|20)[0-9]{2}[./-][0-9]{1,2}([./-][0-9]{1,2})?|(1[6-9]|20)[0-9]{2}[-/]([0-9]{2})?|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2}|[-/.·()_:'']{1,3})[).]?';
begin
  for candidate in
    select m[1] from regexp_matches(given,
      '((?:[(\[]?\+|(?<![0-9])[(\[]?)[(\[]?[0-9](?:[ .\-/·()_|'':~\[\]]{0,3}[0-9]){6,40}[)\]]?)', 'g') m
    union all
    -- anything but letters between the digits of a number that begins as phone numbers do
    select m[1] from regexp_matches(given,
      '((?<![0-9.,])(?:\+[1-9]|0[1-9])(?:[^A-Za-z0-9%$€£¥]{0,3}[0-9]){7,40})', 'g') m
  loop
    -- other letters than those of ASCII end a number
    if candidate ~ '[[:alpha:]]' then continue; end if;
    own := candidate;
    head := 0;
    if own !~ '^[(\[]?(\+|00)' then
      own := regexp_replace(own, '[|~,;\[\]]', ' ', 'g');
      own := regexp_replace(own, ':(?=(19|20)[0-9]{2}(?![0-9]))', ' ', 'g');
      own := regexp_replace(own,
        '(?<=(1[6-9]|20)[0-9]{2}([./-][0-9]{1,2})?)-(?=([0-9]{1,2}[./]){0,2}(1[6-9]|20)[0-9]{2}([./-][0-9]{1,2})?(?![0-9]))', ' ', 'g');
      own := regexp_replace(own, '^( *' || one_date || '(?= |$))+', '');
      head := length(candidate) - length(own);
      -- years that follow the code of a town are the rest of its number
      bare := regexp_replace(own, '( +' || one_date || ')+ *$', '');
      if own !~ '^ *[(]?0[0-9]{2,4}[)]? ' or length(regexp_replace(bare, '[^0-9]', '', 'g')) >= 9 then own := bare; end if;
      -- 1 200 000 and 20260315 are no phone numbers
      if own ~ '^ *[0-9]{1,3}([ .''][0-9]{3})*[ .'']000$' or own ~ '^ *(1[6-9]|20)[0-9]{2}(0[0-9]|1[0-2])[0-3][0-9]$' then continue; end if;
    end if;
    if length(regexp_replace(own, '[^0-9]', '', 'g')) >= 7 then
      found := replace(found, candidate,
        substr(candidate, 1, head) || ' ' || substr(candidate, head + length(own) + 1));
    end if;
  end loop;
  return found;
end $$;

create function pg_temp.without_contacts(given text) returns text language plpgsql as $$
declare
  plain constant text := pg_temp.plain(given);
  t text := plain;
  networks constant text := '(linkedin|linked-in|github|gitlab|bitbucket|twitter|facebook|instagram|xing|behance|dribbble|youtube|tiktok|mastodon|bluesky|stackoverflow|kaggle|leetcode|hackerrank|orcid|researchgate|skype|telegram|whatsapp|wechat|viber|threema|jabber)';
  others constant text := '(?!(github|gitlab|bitbucket|linkedin|xing|twitter|facebook|instagram|youtube|tiktok|actions|copilot|pages|enterprise|recruiter|learning|sales|ads|api|git|jira|jenkins|docker|ci|bots?|chat|slack|teams|trello)(?![A-Za-z0-9]))';
  around constant text := '[ _"''*~=|-]{1,3}';
  ends constant text := '(com|org|net|io|dev|me|info|biz|eu|app|ai|co|tech|xyz|page|site|online|blog|cloud|design|studio|edu|tv|uk|us|ca|au|nz|ie|de|at|ch|fr|be|nl|lu|es|pt|it|pl|cz|sk|hu|ro|bg|hr|gr|tr|ua|ru|se|no|dk|fi|br|ar|mx|in|jp|cn|photography|software|engineer|engineering|codes|photo|art|systems|solutions|consulting)';
  titles constant text := '(?!(engineer|developer|designer|manager|analyst|consultant|lead|intern|director|worked|working)(?![A-Za-z0-9]))';
  names constant text := '(?!((asp|vb|ado|ml|dot|paint|json|quartz|skyscanner)\.net|(socket|draw|cypress|spring|spacy|customer|segment|apollo|fly)\.io|(fast|character|c3|h2o|scale|stability)\.ai|(booking|monday|amazon|salesforce|force|clickup|cars|hotels|make|wix|expedia|priceline|trivago|agoda|kayak|overstock|wayfair|chewy|care|ancestry|squarespace|wordpress|box|crypto|blockchain|freelancer|glassdoor|indeed|monster|bol|match|lastminute)\.com|about\.me|(amazon|web|gmx|zalando|check24|otto)\.de|allegro\.pl)(?![A-Za-z0-9-]))';
begin
  t := regexp_replace(t, '[^ \t@|,;:()<>"]+@[^ \t@|,;()<>"]*', ' ', 'g');
  t := regexp_replace(t, '(?<![A-Za-z0-9._%+-])' || titles || '[A-Za-z0-9._%+-]+ {0,2}@ {0,2}[A-Za-z0-9-]+( ?\. ?[A-Za-z0-9-]+){0,4} {0,2}\. {0,2}' || ends || '(?![A-Za-z0-9])', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9._%+-])' || titles || '[A-Za-z0-9._%+-]+?' || around || '(at|arroba|chiocciola)' || around || '[A-Za-z0-9-]+?((\.|' || around || 'dot' || around || ')[A-Za-z0-9-]+?)*(\.|' || around || 'dot' || around || ')' || ends || '(?![A-Za-z0-9])', ' ', 'gi');
  t := regexp_replace(t, '(h(tt|xx)ps?|ftp) ?: ?//?[^ \t]+', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9])www[0-9]?\.[^ \t]+', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9.@/-])[A-Za-z0-9-]+(\.[A-Za-z0-9-]+){0,4}\.' || ends || '/[^ \t|,;)]+', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9.@/-])' || names || '[A-Za-z0-9-]{2,}(\.[A-Za-z0-9-]+){0,4}\.' || ends || '(?![A-Za-z0-9-])', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9.@/-])' || names || '(?!(dipl|dr|prof|univ|mag|rer|cand|st|sp|approx)\.)[a-z0-9-]{2,}\.(?!(js|jsx|ts|tsx|py|rb|go|php|html|htm|css|json|xml|yml|yaml|csv|txt|md|pdf|docx?|xlsx?|exe|dll|jar|sql|java|vue|ui|learn|grid)(?![a-z]))[a-z]{2,}(?![A-Za-z0-9.-])', ' ', 'g');
  t := regexp_replace(t, '(?<![A-Za-z0-9])' || networks || '( (id|profile|handle|user|username|name))? ?[:=>] ?' || others || '@?[A-Za-z0-9][A-Za-z0-9._/:-]+', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9])' || networks || '/' || others || '[A-Za-z0-9][A-Za-z0-9._/-]+', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9])' || networks || '( [|-] ?| {1,2})' || others || '([A-Za-z]+[._0-9][A-Za-z0-9._-]+|[A-Za-z]{3,}-[A-Za-z]{3,}[A-Za-z0-9._-]*)', ' ', 'gi');
  t := pg_temp.without_phones(t);
  if t = plain then return given; end if;
  t := regexp_replace(t, '(?<![A-Za-z0-9])(e-?mail|mail|tel|telefon|telephone|phone|mobile?|mobil|cell|handy|portable|fax|web|website|homepage) ?[:.]?(?=[ |,;•·/-]|$)', ' ', 'gi');
  t := regexp_replace(t, '[(\[{<] *[)\]}>]', ' ', 'g');
  t := regexp_replace(t, ' *[|•·,;] *(?=[|•·,;)\]]|$)', ' ', 'g');
  t := regexp_replace(t, ' {2,}', ' ', 'g');
  return btrim(t, E' \t|•·,;:/-');
end $$;

-- A text of which next to nothing is left (a label, the name of the person) is gone.
create function pg_temp.profile_without_contacts(given jsonb) returns jsonb language plpgsql as $$
declare
  t text;
  kept jsonb;
begin
  case jsonb_typeof(given)
    when 'string' then
      t := pg_temp.without_contacts(given #>> '{}');
      if t = given #>> '{}' then return given; end if;
      if t !~ '[0-9]' and array_length(regexp_split_to_array(t, '[^[:alnum:]''’.-]+'), 1) <= 3 then return 'null'; end if;
      return to_jsonb(t);
    when 'array' then
      select coalesce(jsonb_agg(x.cleaned order by x.n), '[]') into kept
      from (select pg_temp.profile_without_contacts(e.value) as cleaned, e.n
            from jsonb_array_elements(given) with ordinality e(value, n)) x
      where x.cleaned <> 'null';
      return kept;
    when 'object' then
      select coalesce(jsonb_object_agg(key, pg_temp.profile_without_contacts(value)), '{}') into kept from jsonb_each(given);
      return kept;
    else return given;
  end case;
end $$;

update resumes r set parsed = c.cleaned
from (select workspace_id, id, pg_temp.profile_without_contacts(parsed) as cleaned from resumes where parsed is not null) c
where r.workspace_id = c.workspace_id and r.id = c.id and r.parsed is distinct from c.cleaned;

drop function pg_temp.profile_without_contacts(jsonb);
drop function pg_temp.without_contacts(text);
drop function pg_temp.without_phones(text);
drop function pg_temp.plain(text);
