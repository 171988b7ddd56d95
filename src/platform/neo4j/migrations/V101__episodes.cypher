// Each alternative is bound to one Episode, for good (S4-ALT-08). Summaries are bound anew, so their edges carry no alternativeId.
CREATE CONSTRAINT has_content_alternative IF NOT EXISTS FOR ()-[h:HAS_CONTENT]-() REQUIRE h.alternativeId IS UNIQUE;
// What of an Episode is searched: its text, piece by piece, with what was said before and after it.
CREATE CONSTRAINT episode_text_key IF NOT EXISTS FOR (t:EpisodeText) REQUIRE t.key IS UNIQUE;
CREATE INDEX episode_text_episode IF NOT EXISTS FOR (t:EpisodeText) ON (t.episodeUuid);
CREATE FULLTEXT INDEX episode_window_english IF NOT EXISTS FOR (t:EpisodeText) ON EACH [t.window, t.owner, t.group_id]
OPTIONS { indexConfig: { `fulltext.analyzer`: 'english' } };
CREATE FULLTEXT INDEX episode_window_cjk IF NOT EXISTS FOR (t:EpisodeText) ON EACH [t.window, t.owner, t.group_id]
OPTIONS { indexConfig: { `fulltext.analyzer`: 'cjk' } };
