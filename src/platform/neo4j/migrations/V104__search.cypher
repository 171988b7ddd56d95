// Where the nearest of all belong to others, one owner's own are compared one by one.
CREATE INDEX fact_ref_owner IF NOT EXISTS FOR (f:FactRef) ON (f.owner, f.group_id);
CREATE INDEX entity_profile_owner IF NOT EXISTS FOR (p:EntityProfile) ON (p.owner);
CREATE INDEX episode_text_owner IF NOT EXISTS FOR (t:EpisodeText) ON (t.owner, t.group_id);
// Of two full-text indexes over the same properties the second is none, so this one is over fewer.
CREATE FULLTEXT INDEX episode_window_cjk IF NOT EXISTS FOR (t:EpisodeText) ON EACH [t.window, t.owner]
OPTIONS { indexConfig: { `fulltext.analyzer`: 'cjk' } };
