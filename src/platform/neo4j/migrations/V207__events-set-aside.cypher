// Events of versions of turns that are not on screen are set aside, and found again when the version is shown.
CREATE INDEX set_aside_event_session IF NOT EXISTS FOR (n:SetAsideEvent) ON (n.sessionId);
