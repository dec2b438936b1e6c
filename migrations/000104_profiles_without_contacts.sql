-- Profiles read from résumés hold no e-mail address, phone number or URL of a person, in any of their texts. The reader
-- cuts them out before it stores a profile; this cleans the profiles that were stored before it did.
-- The functions live as long as the migration. Classes name ASCII alone: how letters are classed depends on the store.

create function pg_temp.without_phones(given text) returns text language plpgsql as $$
declare
  found text := given;
  candidate text;
  own text;
  head integer;
  one_date constant text := '[(''’]?(([0-9]{1,2}[./-]){0,2}(1[6-9]|20)[0-9]{2}|(1[6-9]|20)[0-9]{2}[./-][0-9]{1,2}([./-][0-9]{1,2})?|(1[6-9]|20)[0-9]{2}[-–/]([0-9]{2})?|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2}|[-–−/.·()_]{1,3})[).]?';
begin
  for candidate in
    select m[1] from regexp_matches(given,
      '((?:\+|(?<![0-9])00|(?<![0-9])\(?)\(?[0-9](?:[ .\-–‑−/·()_]{0,3}[0-9]){6,40}\)?)', 'g') m
  loop
    own := candidate;
    head := 0;
    if own !~ '^(\+|\(?00)' then
      own := regexp_replace(own,
        '(?<=(1[6-9]|20)[0-9]{2}([./-][0-9]{1,2})?)[–—−-]{1,3}(?=([0-9]{1,2}[./]){0,2}(1[6-9]|20)[0-9]{2}([./-][0-9]{1,2})?(?![0-9]))', ' ', 'g');
      own := regexp_replace(own, '^( *' || one_date || '(?= |$))+', '');
      head := length(candidate) - length(own);
      -- years that follow the code of a town are the rest of its number
      if own !~ '^ *[(]?0[0-9]{2,4}[)]? ' then own := regexp_replace(own, '( ' || one_date || ')+ *$', ''); end if;
      -- 1 200 000 and 20260315 are no phone numbers
      if own ~ '^ *[0-9]{1,3}([ .][0-9]{3})*[ .]000$' or own ~ '^ *(1[6-9]|20)[0-9]{2}(0[0-9]|1[0-2])[0-3][0-9]$' then continue; end if;
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
  t text := given;
  networks constant text := '(linkedin|linked-in|github|gitlab|bitbucket|twitter|facebook|instagram|xing|behance|dribbble|medium|youtube|tiktok|mastodon|bluesky|threads|stackoverflow|kaggle|leetcode|hackerrank|orcid|researchgate|quora|reddit|pinterest|snapchat|vimeo|soundcloud|codepen|viadeo|vk)';
  hosts constant text := '(com|org|net|io|dev|me|info|biz|eu|app|ai|co|tech|xyz|page|site|online|blog|cloud|design|studio|link|bio|name|pro|edu|tv|ac|uk|us|ca|au|nz|ie|de|at|ch|li|fr|be|nl|lu|es|cat|pt|it|pl|cz|sk|hu|ro|bg|hr|si|rs|gr|cy|tr|ua|ru|ee|lv|lt|se|no|dk|fi|is|br|ar|cl|mx|pe|in|pk|jp|kr|cn|hk|tw|sg|my|th|vn|ph|id|il|ae|sa|qa|eg|ma|tn|za|ng|ke|example|test)';
begin
  t := regexp_replace(t, 'mailto:[^[:space:]]+', ' ', 'gi');
  t := regexp_replace(t, '[^[:space:]@|,;:()<>"]+[@＠﹫][^[:space:]@|,;()<>"]*', ' ', 'g');
  t := regexp_replace(t, '(?<![A-Za-z0-9._%+-])([a-z0-9_%+-]+|[A-Za-z0-9]+[._0-9][A-Za-z0-9._-]*) {0,2}[@＠﹫] {0,2}[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+', ' ', 'g');
  t := regexp_replace(t, '[^[:space:]@|,;()<>]+ {0,3}[(\[{<] ?(at|ät|@|arroba|chiocciola|chez) ?[)\]}>] {0,3}[^[:space:]|,;()<>]+( {0,2}([(\[{<] ?(dot|punkt|point|punto|ponto|kropka|d0t|\.) ?[)\]}>]|\.| dot ) {0,2}[A-Za-z0-9-]+)*', ' ', 'gi');
  t := regexp_replace(t, '[^[:space:]]+ (at|arroba|chiocciola) [A-Za-z0-9-]+( dot [A-Za-z0-9-]+)+', ' ', 'gi');
  t := regexp_replace(t, '[@＠﹫][A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+', ' ', 'g');
  t := regexp_replace(t, '(https?|ftp)://?[^[:space:]]+', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9])www[0-9]?\.[^[:space:]]+', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9])' || networks || ' ?:? ?// {0,2}[^[:space:]]+', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9])' || networks || ' {1,2}@[A-Za-z0-9._-]+', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9])' || networks || '( (id|profile|handle|user|username|name))? ?[:=|] ?@?[A-Za-z0-9][A-Za-z0-9._/-]+', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9])(skype|telegram|whatsapp|wechat|weixin|viber|discord|icq|threema|kakaotalk|jabber)( (id|handle|user|username|name))? ?[:=] ?[^[:space:]]+', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9.])@[a-z0-9_][A-Za-z0-9._-]+', ' ', 'g');
  -- a host with a path, with three parts, or in lower case
  t := regexp_replace(t, '(?<![A-Za-z0-9.@/-])[A-Za-z0-9-]+(\.[A-Za-z0-9-]+){0,4}\.' || hosts || '/[^[:space:]|,;)]+', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9.@/-])[A-Za-z0-9-]{2,}(\.[A-Za-z0-9-]+){1,4}\.' || hosts || '(?![A-Za-z0-9-])', ' ', 'gi');
  t := regexp_replace(t, '(?<![A-Za-z0-9.@/-])(?!(socket|draw|cypress|spring|spacy)\.io|fast\.ai|(asp|vb|ado)\.net)[a-z0-9-]{2,}\.' || hosts || '(?![A-Za-z0-9-])', ' ', 'g');
  t := pg_temp.without_phones(t);
  if t = given then return given; end if;
  t := regexp_replace(t, '(?<![A-Za-z0-9])(e-?mail|mail|tel|telefon|telephone|phone|mobile?|mobil|cell|handy|portable|fax|web|website|homepage) ?[:.]?(?=[ |,;•·/–-]|$)', ' ', 'gi');
  t := regexp_replace(t, '[(\[{<] *[)\]}>]', ' ', 'g');
  t := regexp_replace(t, ' *[|•·,;] *(?=[|•·,;)\]]|$)', ' ', 'g');
  t := regexp_replace(t, ' {2,}', ' ', 'g');
  return btrim(t, E' \t|•·,;:/–—-');
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
