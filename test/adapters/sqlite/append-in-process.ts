// Appends to the database of another process: `append-in-process.ts PATH FIRST` appends every second item from FIRST.
import { openDatabase } from "../../../src/adapters/sqlite/database.ts";
import { createSqliteLog } from "../../../src/adapters/sqlite/sqlite-log.ts";

const [path = "", first = "0"] = process.argv.slice(2);
const database = openDatabase(path);
const log = createSqliteLog(database);
for (let number = Number(first); number < 200; number += 2) {
  const key = { pk: "east#20261121", sk: String(number).padStart(10, "0") };
  await log.append({ key, bytes: new Uint8Array(100), sha256: String(number), factCount: 1 });
}
database.close();
process.disconnect();
