/** The bytes are damaged. Only the decoder throws and catches this class; its callers get an outcome. */
export class Damaged extends Error {
  override readonly name = "Damaged";
}
