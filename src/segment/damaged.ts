/** The bytes are damaged. Thrown and caught only within the decoder, whose callers get an outcome. */
export class Damaged extends Error {
  override readonly name = "Damaged";
}
