/**
 * The `NODE_OPTIONS` that the exporter's chart derives from its default memory limit, as its test compares. Figures of
 * its memory are meaningless with other limits.
 */
export const CHART_NODE_OPTIONS = "--max-old-space-size=144 --max-semi-space-size=2";
