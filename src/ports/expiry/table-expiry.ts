/** Whether a table deletes its expired items. One request each. */
export interface TableExpiry {
  /** The table, for messages. */
  readonly name: string;
  /** `changing`: an earlier change has not taken effect. */
  read(): Promise<"on" | "off" | "changing">;
  /** `refused`: the last change was less than an hour ago. */
  set(wanted: "on" | "off"): Promise<"set" | "refused">;
}
