CREATE CONSTRAINT stream_session_key IF NOT EXISTS FOR (n:Session) REQUIRE (n.node_id, n.workspace) IS UNIQUE;
CREATE CONSTRAINT stream_tool_call_key IF NOT EXISTS FOR (n:ToolCall) REQUIRE (n.node_id, n.workspace) IS UNIQUE;
CREATE CONSTRAINT stream_event_key IF NOT EXISTS FOR (n:Event) REQUIRE (n.node_id, n.workspace) IS UNIQUE;
CREATE INDEX stream_session_owner IF NOT EXISTS FOR (n:Session) ON (n.owner_id, n.workspace, n.started_at);
CREATE INDEX stream_event_time IF NOT EXISTS FOR (n:Event) ON (n.owner_id, n.workspace, n.occurred_at);
CREATE INDEX stream_event_tool IF NOT EXISTS FOR (n:Event) ON (n.owner_id, n.workspace, n.tool_name);
// An end that came before its beginning waits under its call's id.
CREATE INDEX stream_event_awaits IF NOT EXISTS FOR (n:Event) ON (n.awaits_tool_call);
// Sessions whose semantic layers are behind their events.
CREATE INDEX stream_session_stale IF NOT EXISTS FOR (n:Session) ON (n.layers_stale_since);
CREATE CONSTRAINT stream_layer_key IF NOT EXISTS FOR (n:LayerNode) REQUIRE (n.node_id, n.layer_workspace) IS UNIQUE;
CREATE INDEX stream_layer_session IF NOT EXISTS FOR (n:LayerNode) ON (n.session_id, n.layer_workspace);
