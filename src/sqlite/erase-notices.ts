import type { Connection } from "./connection.ts";

/**
 * Removes what rules matched about a subject, and its messages. A settled message remains as a number of its receiver:
 * without its text, under another name.
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
