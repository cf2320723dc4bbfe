package dev.ligeiro.gateway.api.list.count;

/**
 * The number of matches in a slice.
 *
 * @param version the slice's, read before its matches were counted
 * @param split whether the slice is split: it has, or may have, more index keys than one query may read, so its children are counted
 */
record KeptCount(long version, long count, boolean split) {}
