import { addChecksum } from "./row-checksums.ts";

/** The migration that makes what rules matched about a subject, and its messages, one record of kind `notice`. */
export const NOTICE_RECORDS = `
  CREATE TABLE due_notices (
    seq INTEGER PRIMARY KEY,
    receiver TEXT NOT NULL,
    subject TEXT NOT NULL,
    ready_at INTEGER NOT NULL,
    noted_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX due_notices_ready ON due_notices (receiver, ready_at, noted_at);
  CREATE INDEX due_notices_subject ON due_notices (subject);
  ${addChecksum("due_notices")}
  CREATE TRIGGER notice_added AFTER INSERT ON meta WHEN NEW.kind = 'notice' BEGIN
    ${addOldest()}
  END;
  CREATE TRIGGER notice_changed AFTER UPDATE OF value ON meta WHEN NEW.kind = 'notice' BEGIN
    DELETE FROM due_notices WHERE subject = NEW.key;
    ${addOldest()}
  END;
  CREATE TRIGGER notice_removed AFTER DELETE ON meta WHEN OLD.kind = 'notice' BEGIN
    DELETE FROM due_notices WHERE subject = OLD.key;
  END;

  INSERT INTO meta (kind, key, version, value)
    SELECT 'notice', subject, 1, json_patch(
      json_object(
        'waiting', coalesce((
          SELECT json_group_array(json_patch(
            json_object('key', key, 'receiver', receiver, 'nextAt', next_at, 'group', message_group, 'value', value,
              'attempts', attempts, 'notedAt', noted_at),
            json_object('firstTriedAt', first_tried_at, 'problem', problem)
          ) ORDER BY seq)
          FROM deliveries WHERE deliveries.subject = subjects.subject AND status = 'waiting'
        ), json_array()),
        'dead', coalesce((
          SELECT json_group_array(
            json_object('key', key, 'receiver', receiver, 'at', noted_at, 'problem', coalesce(problem, ''))
            ORDER BY seq)
          FROM deliveries WHERE deliveries.subject = subjects.subject AND status = 'dead'
        ), json_array()),
        'tallies', coalesce((
          SELECT json_group_object(receiver, json_patch(
            json_object('delivered', delivered, 'dead', dead, 'suppressed', suppressed),
            json_object('lastDeliveredAt', last_delivered_at)))
          FROM (
            SELECT receiver, sum(status = 'delivered') AS delivered, sum(status = 'dead') AS dead,
              sum(status = 'suppressed') AS suppressed,
              max(CASE status WHEN 'delivered' THEN next_at END) AS last_delivered_at
            FROM deliveries WHERE deliveries.subject = subjects.subject AND status <> 'waiting' GROUP BY receiver
          )
        ), json_object())
      ),
      json_object(
        'notice', (SELECT json(value) FROM notices WHERE notices.subject = subjects.subject),
        'changedAt', (SELECT max(noted_at) FROM deliveries WHERE deliveries.subject = subjects.subject)
      )
    )
    FROM (SELECT subject FROM notices UNION SELECT subject FROM deliveries) AS subjects;

  -- The last messages count for the rate limit of their receiver.
  INSERT INTO meta (kind, key, version, value)
    SELECT 'receiver', receiver, 1,
      json_object('slices', json_group_array(json_object('from', next_at, 'messages', 1) ORDER BY next_at))
    FROM (
      SELECT receiver, min(next_at) AS next_at,
        row_number() OVER (PARTITION BY receiver ORDER BY min(next_at) DESC) AS age
      FROM deliveries WHERE status = 'delivered' GROUP BY receiver, coalesce(batch, key)
    ) WHERE age <= 1000 GROUP BY receiver;

  UPDATE meta SET checksum = row_checksum(kind, key, version, value) WHERE kind IN ('notice', 'receiver');
  UPDATE due_notices SET checksum = row_checksum(seq, receiver, subject, ready_at, noted_at);
  DROP TABLE deliveries;
  DROP TABLE notices;
`;

/** The oldest message for each receiver: later ones about the same subject wait for it. */
function addOldest(): string {
  return `INSERT INTO due_notices (receiver, subject, ready_at, noted_at)
      SELECT one.value ->> 'receiver', NEW.key,
        CAST(max(one.value ->> 'nextAt', coalesce(one.value ->> 'claimedUntil', 0)) AS INTEGER),
        CAST(coalesce(one.value ->> 'notedAt', 0) AS INTEGER)
      FROM json_each(NEW.value, '$.waiting') AS one
      WHERE NOT EXISTS (
        SELECT 1 FROM json_each(NEW.value, '$.waiting') AS earlier
        WHERE earlier.key < one.key AND earlier.value ->> 'receiver' = one.value ->> 'receiver'
      );`;
}
