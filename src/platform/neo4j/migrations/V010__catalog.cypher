CREATE CONSTRAINT service_id IF NOT EXISTS FOR (n:Service) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT secret_id IF NOT EXISTS FOR (n:Secret) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT tool_id IF NOT EXISTS FOR (n:Tool) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT service_template_id IF NOT EXISTS FOR (n:ServiceTemplate) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT tool_template_id IF NOT EXISTS FOR (n:ToolTemplate) REQUIRE n.id IS UNIQUE;
CREATE INDEX service_shared IF NOT EXISTS FOR (n:Service) ON (n.shared);
CREATE INDEX tool_shared IF NOT EXISTS FOR (n:Tool) ON (n.shared);
CREATE INDEX service_template_owner IF NOT EXISTS FOR (n:ServiceTemplate) ON (n.ownerId);
CREATE INDEX service_template_shared IF NOT EXISTS FOR (n:ServiceTemplate) ON (n.shared);
CREATE INDEX tool_template_owner IF NOT EXISTS FOR (n:ToolTemplate) ON (n.ownerId);
CREATE INDEX tool_template_shared IF NOT EXISTS FOR (n:ToolTemplate) ON (n.shared);
// The schedule that probes Tools takes the longest unchecked first.
CREATE INDEX tool_last_health_check IF NOT EXISTS FOR (n:Tool) ON (n.lastHealthCheck);
CREATE INDEX secret_key_version IF NOT EXISTS FOR (n:Secret) ON (n.keyVersion);
