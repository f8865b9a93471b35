-- The table of the inbox, as inbox.migrate() creates it. Replace the name if you set the option "table".
CREATE TABLE IF NOT EXISTS "service_signature_inbox" (
  key           TEXT NOT NULL PRIMARY KEY,
  handled_at    REAL,
  claim_token   TEXT,
  claimed_until REAL
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS "service_signature_inbox_age"
ON "service_signature_inbox" (coalesce(handled_at, claimed_until));
