// All values of one metric and owner, such as the cost of each Process; metric_value_age finds those of all owners.
CREATE INDEX metric_value_of_owner IF NOT EXISTS FOR (n:MetricValue) ON (n.metricId, n.ownerId, n.at);
