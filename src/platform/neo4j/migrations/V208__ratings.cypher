// A person's verdict on an answer. Its id is that of the alternative.
CREATE CONSTRAINT rating_id IF NOT EXISTS FOR (n:Rating) REQUIRE n.id IS UNIQUE;
CREATE INDEX rating_of_owner_by_time IF NOT EXISTS FOR (n:Rating) ON (n.ownerId, n.createdAt, n.id);
