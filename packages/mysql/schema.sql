-- The table of the inbox, as inbox.migrate() creates it. Replace the name if you set the option "table".
CREATE TABLE IF NOT EXISTS `service_signature_inbox` (
  `key`         VARBINARY(765) NOT NULL PRIMARY KEY,
  handled_at    DATETIME(6),
  claim_token   VARBINARY(36),
  claimed_until DATETIME(6),
  aged_at       DATETIME(6) AS (COALESCE(handled_at, claimed_until)) STORED,
  INDEX aged (aged_at)
) ENGINE = InnoDB;
