import type { Fact, ParentFact, Stamp } from "../job/model/fact.ts";
import type { Instant } from "../job/model/instant.ts";

/** What differs in type between the kinds that are watched. */
export interface ParentParts {
  readonly fact: ParentFact;
  /** The plural name of URLs and RBAC rules. */
  readonly resource: string;
}

/** How objects of one kind are read, translated and stored. */
export interface WatchedParent<Parts extends ParentParts> {
  readonly resource: Parts["resource"];
  /** The API group as RBAC rules name it: "" is the core group. */
  readonly apiGroup: string;
  /** The API versions that serve it, the preferred one first. */
  readonly apiVersions: readonly [string, ...string[]];
  /** The fields of the object, besides metadata, that a recording keeps: those that the facts come from. */
  readonly kept: { readonly [field: string]: KeptFields };
  /** The instants that the status names. The latest instant of the object dates its facts. */
  readonly instants: (object: ParentObject) => readonly (Instant | undefined)[];
  readonly observed: (object: ParentObject, stamp: Stamp) => Parts["fact"];
  readonly deleted: (object: ParentReference, stamp: Stamp) => Parts["fact"];
  readonly isFact: (fact: Fact) => fact is Parts["fact"];
  /** The fields of its facts, by kind of fact. A fact with another field is not valid. */
  readonly facts: {
    readonly [Kind in Parts["fact"]["kind"]]: FactFields<Extract<Parts["fact"], { readonly kind: Kind }>>;
  };
  readonly nameOf: (fact: Parts["fact"]) => ParentReference;
  /** It says that the object is gone. */
  readonly isDeletion: (fact: Parts["fact"]) => boolean;
  /** A fact as a clause that has the object as subject. */
  readonly describe: (fact: Parts["fact"]) => string;
}

export interface ParentReference {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** An object as a watch shows it. Nothing of it leaves the cluster that `observed` does not read. */
export interface ParentObject extends ParentReference {
  readonly createdAt: Instant | undefined;
  readonly generation: number;
  readonly spec: ParentFields;
  readonly status: ParentFields;
}

/** Reads the fields of a JSON object; a value of another type counts as absent. */
export interface ParentFields {
  /** At most 256 bytes of a text that is not empty. */
  text(field: string): string | undefined;
  /** A whole number of at least 0. */
  count(field: string): number | undefined;
  instant(field: string): Instant | undefined;
  isTrue(field: string): boolean;
}

/** The fields to keep: `true` for whole values, an object for selected fields; in lists they apply to each item. */
export type KeptFields = true | { readonly [field: string]: KeptFields };

/** The types of a fact's own fields; those with `?` may be absent. */
export type FactFields<Of> = {
  readonly [Field in keyof Omit<Of, keyof Stamp | "kind">]-?: object extends Pick<Of, Field>
    ? `${FieldType<Exclude<Of[Field], undefined>>}?`
    : FieldType<Of[Field]>;
};
/** `whole` is a safe integer, `number` a finite number. */
type FieldType<Value> = Value extends string ? "text" : Value extends number ? "whole" | "number" : "boolean";
