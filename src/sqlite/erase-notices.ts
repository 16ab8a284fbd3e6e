import type { Connection } from "./connection.ts";

/**
 * Removes the notices about a subject, and its messages. A settled message still counts for its receiver, without its
 * text and under another name.
 */
export function eraseNotices(connection: Connection, subject: string, alias: string): void {
  connection.run("DELETE FROM notices WHERE subject = ?", subject);
  connection.run("DELETE FROM deliveries WHERE subject = ? AND status = 'waiting'", subject);
  connection.run(
    `UPDATE deliveries SET key = ? || '#' || seq, subject = ?, message_group = '', problem = NULL, value = '{}'
     WHERE subject = ?`,
    alias,
    alias,
    subject,
  );
}
