CREATE CONSTRAINT data_request_id IF NOT EXISTS FOR (n:DataRequest) REQUIRE n.id IS UNIQUE;
CREATE INDEX open_data_request_id IF NOT EXISTS FOR (n:OpenDataRequest) ON (n.id);
CREATE INDEX data_request_user IF NOT EXISTS FOR (n:DataRequest) ON (n.userId);
