/** A clause of a headline, with shorter forms for a line that is already long. */
export interface Clause {
  readonly full: string;
  /** A shorter form, used if the full form does not fit and this one does. */
  readonly short?: string;
  readonly brief?: string;
  /** This clause is never left out. The first clause of a line is always necessary. */
  readonly necessary?: boolean;
  /** It is only used after the clause before it. */
  readonly follows?: true;
}
