CREATE CONSTRAINT background_day_key IF NOT EXISTS FOR (n:BackgroundDay) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT background_wait_key IF NOT EXISTS FOR (n:BackgroundWait) REQUIRE n.key IS UNIQUE;
CREATE INDEX background_wait_owner IF NOT EXISTS FOR (n:BackgroundWait) ON (n.ownerId);
CREATE INDEX background_wait_due IF NOT EXISTS FOR (n:BackgroundWait) ON (n.notBefore);
CREATE CONSTRAINT background_fault_key IF NOT EXISTS FOR (n:BackgroundFault) REQUIRE n.key IS UNIQUE;
