CREATE CONSTRAINT metric_definition_id IF NOT EXISTS FOR (n:MetricDefinition) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT metric_definition_name IF NOT EXISTS FOR (n:MetricDefinition) REQUIRE (n.scope, n.name) IS UNIQUE;
// Only what the product itself measures has a key: the bucket that one metric, entity, owner and minute share.
CREATE CONSTRAINT metric_value_key IF NOT EXISTS FOR (n:MetricValue) REQUIRE n.key IS UNIQUE;
// A series is read along one of these: by its owner, or (an admin) of all owners. The last one is the retention's.
CREATE INDEX metric_value_own_series IF NOT EXISTS FOR (n:MetricValue) ON (n.metricId, n.entityId, n.ownerId, n.at);
CREATE INDEX metric_value_series IF NOT EXISTS FOR (n:MetricValue) ON (n.metricId, n.entityId, n.at);
CREATE INDEX metric_value_age IF NOT EXISTS FOR (n:MetricValue) ON (n.metricId, n.at);
CREATE CONSTRAINT metric_total_key IF NOT EXISTS FOR (n:MetricTotal) REQUIRE n.key IS UNIQUE;
// What the product measures by itself; src/metrics/built-in.ts says the same, and a test holds the two together.
UNWIND range(0, 4) AS s
UNWIND range(0, 5) AS m
WITH s, m, ['service', 'tool', 'process', 'conversation', 'worker'][s] AS scope, [
  {name: 'aiden_calls', aggregation: 'sum', dataType: 'integer', description: 'Attempts of steps that ended; of a Process and a Conversation, runs that ended.'},
  {name: 'aiden_duration_seconds', aggregation: 'avg', dataType: 'float', description: 'How long each of them took.'},
  {name: 'aiden_tokens', aggregation: 'sum', dataType: 'integer', description: 'Tokens of language models, in and out.'},
  {name: 'aiden_cost_usd', aggregation: 'sum', dataType: 'float', description: 'What they cost, where the Tool has a price.'},
  {name: 'aiden_errors', aggregation: 'sum', dataType: 'integer', description: 'Those of them that failed.'},
  {name: 'aiden_retries', aggregation: 'sum', dataType: 'integer', description: 'Attempts that repeated an earlier one.'}
][m] AS metric
MERGE (d:MetricDefinition {id: '00000000-0000-7000-8000-0000000a0' + toString(s) + '0' + toString(m)})
ON CREATE SET d:Resource, d += metric, d.scope = scope, d.builtIn = true, d.retentionDays = 90,
  d.createdAt = datetime(), d.updatedAt = datetime();
