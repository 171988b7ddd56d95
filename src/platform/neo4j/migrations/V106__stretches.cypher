// A piece's own words count besides those of its window.
DROP INDEX episode_window_english IF EXISTS;
CREATE FULLTEXT INDEX episode_words_english IF NOT EXISTS FOR (t:EpisodeText) ON EACH [t.text, t.window, t.owner, t.group_id]
OPTIONS { indexConfig: { `fulltext.analyzer`: 'english' } };
// What was said in one go: what an Episode is about is often said some turns away from it.
CREATE CONSTRAINT episode_stretch_key IF NOT EXISTS FOR (s:EpisodeStretch) REQUIRE s.key IS UNIQUE;
CREATE FULLTEXT INDEX episode_stretch_english IF NOT EXISTS FOR (s:EpisodeStretch) ON EACH [s.text, s.owner, s.group_id]
OPTIONS { indexConfig: { `fulltext.analyzer`: 'english' } };
