/** Bytes are not what this build wrote. Thrown and caught inside of decoding only: outside it is an outcome. */
export class Damaged extends Error {
  override readonly name = "Damaged";
}
