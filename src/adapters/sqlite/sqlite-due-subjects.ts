import { CLOCK_TOLERANCE_MILLIS, type DueSubjects } from "../../ports/notices.ts";
import { textOf } from "./connection.ts";
import type { Database } from "./database.ts";

/** Reads table `due_notices`, which triggers fill from the records of kind `notice` (migrations.ts). */
export function createSqliteDueSubjects(database: Database): DueSubjects {
  const sql = `SELECT subject FROM due_notices WHERE receiver = ? AND (ready_at <= ? OR noted_at > ?)
    ORDER BY ready_at, seq LIMIT ?`;
  const countSql = "SELECT count(*) AS waiting FROM (SELECT 1 FROM due_notices WHERE receiver = ? LIMIT ?)";
  return {
    due: async (receiver, { now, limit }) => {
      const values = [receiver, now, now + CLOCK_TOLERANCE_MILLIS, limit];
      const rows = await database.read((connection) => connection.all(sql, ...values));
      return rows.map((row) => textOf(row, "subject"));
    },
    waiting: async (receiver, most) => {
      const row = await database.read((connection) => connection.get(countSql, receiver, most));
      return Number(row?.["waiting"]);
    },
  };
}
