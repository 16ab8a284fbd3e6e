/** The names of the cells that an answer lacks, separated by ", ". */
export const UNAVAILABLE_HEADER = "outlive-unavailable-cells";
